! The kind of a host in single precision.
module ccpp_kind_types
  use, intrinsic :: iso_fortran_env, only: real32
  implicit none
  integer, parameter :: kind_phys = real32
end module ccpp_kind_types
