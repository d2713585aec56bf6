@main
struct Sightline {
    static func main() {}
}
