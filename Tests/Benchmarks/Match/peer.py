"""What a careful Python program would do: OpenCV's SIFT, an inverted file of FAISS, OpenCV's RANSAC.

One command a line on standard input, one JSON object a line on standard output. Times are processor
milliseconds of this process, in which every library uses one thread; --threads N gives them more.
"""

import argparse
import json
import sys
import time

import cv2
import faiss
import numpy as np

SIDE = 640
FEATURES = 500
# Lists of the inverted file for each root of the number of features.
LISTS_PER_ROOT = 4
# Bytes of a product quantiser's code; candidates that are checked; inliers of an accepted one.
CODE_BYTES = 32
CHECKED = 20
INLIERS_MIN = 12


def picture(path):
    grey = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
    scale = SIDE / max(grey.shape)
    if scale < 1:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return grey


class Peer:
    def __init__(self, probes, neighbours):
        self.sift = cv2.SIFT_create(nfeatures=FEATURES, contrastThreshold=0.02)
        self.matcher = cv2.BFMatcher(cv2.NORM_L2)
        self.probes = probes
        self.neighbours = neighbours
        self.rows, self.points, self.names = [], [], []
        self.owners = None
        self.index = None

    def extract(self, grey):
        """Points and RootSIFT rows. OpenCV doubles a picture first: half of it makes the first
        octave of full size."""
        half = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        points, rows = self.sift.detectAndCompute(half, None)
        if rows is None:
            return np.zeros((0, 2), np.float32), np.zeros((0, 128), np.float32)
        rows = rows[:FEATURES] / np.maximum(rows[:FEATURES].sum(axis=1, keepdims=True), 1e-9)
        places = np.array([point.pt for point in points[:FEATURES]], np.float32)
        return places * 2, np.sqrt(rows).astype(np.float32)

    def add(self, path):
        points, rows = self.extract(picture(path))
        self.names.append(path)
        self.points.append(points)
        # A byte a value: four times smaller, and near enough for the ratio test.
        self.rows.append(np.round(rows * 255).astype(np.uint8))

    def fill(self, total):
        """Pictures of pieces of the real ones, with noise, until there are `total`."""
        random = np.random.default_rng(5)
        real = len(self.rows)
        while len(self.rows) < total:
            parts, places = [], []
            while sum(map(len, parts)) < 335:
                chosen = random.integers(real)
                if len(self.rows[chosen]) == 0:
                    continue
                first = random.integers(len(self.rows[chosen]))
                part = self.rows[chosen][first : first + 60].astype(np.int16)
                noise = random.integers(-12, 13, part.shape, np.int16)
                parts.append(np.clip(part + noise, 0, 255).astype(np.uint8))
                places.append(self.points[chosen][first : first + 60])
            self.names.append(f"fill {len(self.names)}")
            self.rows.append(np.concatenate(parts))
            self.points.append(np.concatenate(places))

    def build(self):
        owners = [np.full(len(rows), number, np.int32) for number, rows in enumerate(self.rows)]
        self.owners = np.concatenate(owners)
        rows = np.concatenate(self.rows)
        lists = 1 << int(np.log2(LISTS_PER_ROOT * np.sqrt(len(rows))))
        coarse = faiss.IndexFlatL2(128)
        self.index = faiss.IndexIVFPQ(coarse, 128, lists, CODE_BYTES, 8)
        self.index.nprobe = self.probes
        random = np.random.default_rng(7)
        chosen = random.choice(len(rows), min(len(rows), 40 * lists), replace=False)
        self.index.cp.niter = 10
        self.index.train(rows[chosen].astype(np.float32) / 255)
        for start in range(0, len(rows), 100_000):
            self.index.add(rows[start : start + 100_000].astype(np.float32) / 255)

    def candidates(self, rows):
        """The pictures with the most votes, each neighbour's the more the nearer it is."""
        distances, found = self.index.search(rows, self.neighbours)
        weights = np.exp(-distances / 0.1)
        weights[found < 0] = 0
        owners = self.owners[np.maximum(found, 0)]
        votes = np.bincount(owners.ravel(), weights.ravel(), minlength=len(self.names))
        best = np.argpartition(-votes, min(CHECKED, len(votes) - 1))[:CHECKED]
        return best[np.argsort(-votes[best])]

    def query(self, path):
        points, rows = self.extract(picture(path))
        best, most = "", 0
        if len(rows) < 4:
            return best, most
        for number in self.candidates(rows):
            others = self.rows[number].astype(np.float32) / 255
            if len(others) < 4:
                continue
            pairs = self.matcher.knnMatch(rows, others, k=2)
            good = [pair[0] for pair in pairs if pair[0].distance < 0.8 * pair[1].distance]
            if len(good) < 8:
                continue
            here = points[[pair.queryIdx for pair in good]]
            there = self.points[number][[pair.trainIdx for pair in good]]
            plane, mask = cv2.findHomography(there, here, cv2.RANSAC, 5.0, maxIters=500)
            inliers = int(mask.sum()) if plane is not None else 0
            if inliers > most:
                best, most = self.names[number], inliers
        return (best, most) if most >= INLIERS_MIN else ("", most)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--threads", type=int, default=1)
    options.add_argument("--probes", type=int, default=4)
    options.add_argument("--neighbours", type=int, default=8)
    options = options.parse_args()
    cv2.setNumThreads(options.threads)
    faiss.omp_set_num_threads(options.threads)
    peer = Peer(options.probes, options.neighbours)
    for line in sys.stdin:
        command, _, argument = line.rstrip("\n").partition(" ")
        answer = {}
        start, wall = time.process_time(), time.perf_counter()
        if command == "extract":
            grey = picture(argument)
            start = time.process_time()
            answer["features"] = len(peer.extract(grey)[0])
        elif command == "add":
            peer.add(argument)
        elif command == "fill":
            peer.fill(int(argument))
        elif command == "build":
            peer.build()
        elif command == "query":
            answer["found"], answer["inliers"] = peer.query(argument)
        answer["milliseconds"] = (time.process_time() - start) * 1000
        answer["elapsed"] = (time.perf_counter() - wall) * 1000
        print(json.dumps(answer), flush=True)


main()
