//! Accuracy, special values and sameness of the elementary functions.
mod accuracy_double;
mod accuracy_single;
mod bounds;
mod decay;
mod dispatch;
mod fused;
mod inputs;
mod special;
mod ulp;
