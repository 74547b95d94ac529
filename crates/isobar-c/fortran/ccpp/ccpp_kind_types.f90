! The kind of the CCPP's physics, for a host that does not bring a module `ccpp_kind_types` of its own.
module ccpp_kind_types
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  integer, parameter :: kind_phys = real64
end module ccpp_kind_types
