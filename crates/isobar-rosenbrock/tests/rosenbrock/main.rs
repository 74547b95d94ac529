//! The methods against KPP's generated code, their orders, their failures, and what they refuse.

mod case;
mod golden;
