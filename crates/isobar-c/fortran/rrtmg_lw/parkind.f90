! The kinds of RRTMG_LW's interface, for a host that does not bring a module `parkind` of its own.
module parkind
  implicit none
  integer, parameter :: kind_im = selected_int_kind(6)
  integer, parameter :: kind_rb = selected_real_kind(12)
end module parkind
