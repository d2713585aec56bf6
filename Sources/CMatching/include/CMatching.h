#ifndef CMATCHING_H
#define CMATCHING_H
#endif
