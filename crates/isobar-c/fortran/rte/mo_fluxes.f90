! The results of RTE+RRTMGP's interface: what a pointer of the caller's is associated with is computed.
module mo_fluxes
  use mo_rte_kind, only: wp
  implicit none
  private
  public :: ty_fluxes, ty_fluxes_broadband

  type, abstract :: ty_fluxes
  end type ty_fluxes

  ! Upward and downward fluxes, their difference (down less up), and the sun's beam [W/m2] (columns, levels).
  type, extends(ty_fluxes) :: ty_fluxes_broadband
    real(wp), dimension(:, :), pointer :: flux_up => null(), flux_dn => null()
    real(wp), dimension(:, :), pointer :: flux_net => null()
    real(wp), dimension(:, :), pointer :: flux_dn_dir => null()
  end type ty_fluxes_broadband

end module mo_fluxes
