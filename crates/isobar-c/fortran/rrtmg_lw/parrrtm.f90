! The sizes of RRTMG_LW's interface, for a host that does not bring a module `parrrtm` of its own.
module parrrtm
  use parkind, only: im => kind_im
  implicit none
  ! Bands, and quadrature points of all of them.
  integer(im), parameter :: nbndlw = 16, ngptlw = 140
end module parrrtm
