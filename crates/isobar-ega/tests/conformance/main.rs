//! Every kernel gives the same bits on the CPU, whatever the threads, and on every GPU, in f32 and f64.

mod infrared;
mod jacobian;
