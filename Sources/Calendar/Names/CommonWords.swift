/// Words that people write in calendars without thinking of a band: a name that is one of them needs
/// a second signal.
///
/// They are written by hand: the common words of English, and those of calendars in six more
/// languages, days, months and some places among them.
enum CommonWords {
    /// Whether a word, folded, is one.
    static func contains(_ word: ArraySlice<UInt32>) -> Bool { words.contains(Array(word)) }

    private static let words: Set<[UInt32]> = Set(
        text.split(whereSeparator: \.isWhitespace).map { TitleLetters(String($0)).scalars })

    private static let text = """
        a abend able about above abril across act action actor ad add affair afspraak after
        afternoon again against age agency ago agosto air airport album alive all almoco alone
        along already also always am america american amor amore amour an and anew angel angels
        animal animals aniversario ann anna anniversaire annual another answer any anything aout
        apartment apple appuntamento april aprile arbeit are area arm army around arrival art
        artist arzt as ash asia at au auf august aula aunt aus autumn aux avec avond avril away
        baby back bad bag baggage ball band bank bar base bath be beach bear beat beautiful
        beauty because bed been beer before begin behind bei being believe bell berlin best
        besuch better between big bike bill bird birds birth birthday black blood blue board boat
        body bone bonjour book books boss boston both bottle box boy boys branch brand bread
        break breakfast bridge bring brother brothers brunch brush budget build building bus
        business but buy by cake call came camp can canada candle captain car card care casa case
        cast cat cats cell cena center central chair change chapter check cheese chez chicago
        chicken child children china choice christmas church ciao circle cita city clase class
        classic classical clean clear client clinic clock close cloud club coach coast coffee
        cold collection college color colour com come comedy comida coming common company
        compleanno computer con conference consulta control cook cool copy corner cost could
        council country couple cours course court cousin cover crash cream cross crow crowd cry
        cumpleanos cup cut da dad daddy dads dag daily dance dans dark das date daughter dawn day
        days de dead deadline deal death december decembre deep deer dejeuner delivery demo
        dentist dentista dentiste department der des design desk dezember di dia dicembre
        diciembre die dienstag dimanche diner dinner dinsdag director disco discovery do doctor
        dog dogs dokter domenica domingo donderdag done donnerstag door doors double down draft
        dream dreams dress drink drive driver drop dry du due during dust e each early earth east
        easter easy eat ecole edge een eight ein eine einen el election electric eleven else
        empire empty en end enero engine english enough er escola escuela essen et eten europe
        eve even evening event ever every everybody everyone everything exam exit express extra
        eye eyes face fahrt fair faith fall family fan far farm farmer fashion fast fat father
        fear febbraio febrero februar february feed feel feest feet feier ferien festa fete
        fevrier few field fiesta fight film final fine finger finish fire first fish fit five fix
        flag flat flight floor flower flowers fly focus folk follow food foot football for force
        ford foreigner forest forever fork form forward four fox france free freedom frei freitag
        french fresh friday friend friends from front fruit fuel full fun future game games
        garbage garden garten gas gate gave geburtstag general gennaio german germany get ghost
        gift giorno giovedi girl girls giugno give glass gli go goal god gold golf gone good
        goodbye got grandma grandpa grass great green grey ground group growth guest guests guide
        guitar gym hair half hall hand hands happy hard hat haus have he head health heart hearts
        heat heaven heavy hell hello help her here hero het heute hi high hike hill him his
        history hit hochzeit hola hold hole holiday holidays home hope horse hospital hot hotel
        hour hours house how huis human hund hundred hunger husband i ice ich idea idol if ihr il
        im in information inside interview into introduction invasion iron is island it italy its
        jacket jahr jam james jantar januar january janvier japan jazz jet jeudi jewel job john
        join jour journey joy judge jueves juillet juin juli julio july jump june jungle juni
        junio jury just justice kansas katze keep kerst key kid kids kill killer kind king kings
        kino kiss kitchen kitten know kraft la lab label labor labour lady lake lamb lamp land
        language large las last late later laundry law lawyer le leader league learn leave
        lecture left leg legal les lesson let letter letters level leven library liefde life lift
        light lights like line lion list listen little live living lo load loan local lock london
        long look los lost lot loud love lover low luck luglio lunch lundi lunedi lunes maandag
        machine mad madrid maggio magic mai mail main maison make mall man manana mango manha
        mani map mar march mardi mare mark market marriage mars martedi martes marz marzo massage
        master match math maths matin matter mattina may maybe mayo me meal meat medecin media
        medicine medico meet meeting member memory men menu merci mercoledi mercredi merge
        message met metal mexico middle midnight miercoles mighty mile milk mind mine minister
        minute mirror miss mission mit mittag mittwoch mix model modern mom moment monday money
        monkey montag month months moon more morgen morning most mother motion motor mountain
        mouse mouth move movie much mum murder museum music must mutter my name natal natale
        national nature navidad near neck need neighbor neighbour network neu never new news next
        nice nicht night nights nine no nobody noche noel noise noite noon north nose not note
        nothing november novembre noviembre now nuit number nurse o ocean october octobre octubre
        of off offer office oil oktober ola old oma on once one only op opa open opening opera or
        orange orchestra order os ostern other ottobre our out outside over own owner page pain
        paint painting pair paper papers paques para parade parent parents paris park part parts
        party pass passion past path pay payment peace pen pencil people pepper per perfect
        person pet phone photo photos piano pick picnic picture piece pilot pink pizza place plan
        plane planet plant plate play player please plumber poetry point poison police pool poor
        pop por port post potato pound pour power practice pranzo prayer present president press
        pretty price pride prince princess print private problem process product program project
        promise public pump punk purple push put quarta quarter queen question quick quiet quinta
        quiz race radio rain rainbow ran rat rate read ready real reason record red reis reise
        remember rendez rent repair report rest restaurant result return reuniao reunion review
        rice rich ride right ring riunione river road robot rock role roll roof room root rose
        roses round royal rugby rule run rush russia sabado sabato sad safe sailing saint salad
        sale salt same samedi samstag sand santa satellite saturday save say school schule
        science scuola sea season seat second secret security see seed segunda sell semaine
        semana seminar senior september septembre septiembre sera service session set settembre
        settimana seven sex sexta shadow shape share shark she sheet ship shirt shoe shoes shop
        short shot should shoulder show shower sick side sie sign silver simple since sing single
        sister sisters sit site six size ski skin sky sleep slow small smart smile smith smoke
        snow so soap soccer social soft soir sol soldier sole some somebody someone something son
        song sonntag soon soul sound soup south space spain speak special speech spirit spoon
        sport sports spring squad square stable stadt staff stage stand standup star stars start
        state station stay steam step still stone stones stop store storm story straight stranger
        strangers street strike strong student studio study style sub such sugar suite sum summer
        summit sun sunday sunrise sunset super supper supreme surgery sweet swim system table tag
        take talk tandarts tape target task taste tax taxi tea teacher team tear tears teen tell
        temple ten tennis terca term termin test texas than thank thanks that the theater theatre
        their them then there these they thing things think third this those thought three
        through thunder thursday ticket tickets tiger time times tin tip to today together
        tomorrow tonight too tool tools tooth top touch tour town toy toys track trade traffic
        trail train training trains travel tree trees treffen trial trip trouble truck true trust
        truth try tuesday turn twelve twenty two type ultimate um uma un una unas uncle und under
        underground une unit university uno unos until up update urlaub us usa use used vacances
        vacation valley van vater vendredi venerdi venice vergadering verjaardag very viagem
        viaggio viaje vida vie vienna viernes view village violin vision visit vita vocal voice
        von voor vote vous voyage vrijdag wait wake walk wall want war ward warm warning was wash
        waste watch water wave way we weather web wedding wednesday week weekend weeks
        weihnachten welcome well were west wet what wheel when where which white who whole why
        wide wife wild will wind window wine wing wings winter wir wire wise wish witch with
        without woche woensdag wolf woman women wonder wood word words work workout workshop
        world would write writer wrong y yard year years yellow yes yesterday yet yoga york you
        young your youth zahnarzt zaterdag zero zondag zone zoo zu в воскресенье врач время
        встреча вторник день для до дом жизнь за и кино любовь май мама март мир на обед от папа
        по поездка понедельник праздник пятница работа рождения с среда суббота ужин урок четверг
        школа
        """
}
