! The kinds of RTE+RRTMGP's interface.
module mo_rte_kind
  use, intrinsic :: iso_fortran_env, only: real32, real64
  implicit none
  public
  integer, parameter :: dp = real64, sp = real32, wp = dp
  integer, parameter :: i8 = selected_int_kind(18)
  integer, parameter :: wl = kind(.true.)
end module mo_rte_kind
