// see include/CMatching.h
