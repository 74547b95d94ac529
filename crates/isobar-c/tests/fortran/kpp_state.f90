! The modules that KPP makes of a mechanism, as far as the integrator uses them, for a test that has no KPP: the test
! puts names and numbers into the places in capital letters.
module KPP_ROOT_Precision
  use, intrinsic :: iso_fortran_env, only: dp => real64
end module KPP_ROOT_Precision

module KPP_ROOT_Parameters
  use KPP_ROOT_Precision
  implicit none
  public
  integer, parameter :: NSPEC = COUNT_OF_SPECIES, NVAR = COUNT_OF_VARIABLE, NREACT = COUNT_OF_REACTIONS
end module KPP_ROOT_Parameters

module KPP_ROOT_Global
  use KPP_ROOT_Parameters
  implicit none
  public
  save
  real(dp), target :: C(NSPEC)
  real(dp) :: RCONST(NREACT), TIME, SUN, TEMP, ATOL(NVAR), RTOL(NVAR), STEPMIN, CFACTOR
  ! OF_LATER_VERSIONS
end module KPP_ROOT_Global

module KPP_ROOT_Monitor
  implicit none
  character(len=32), parameter, dimension(COUNT_OF_SPECIES) :: SPC_NAMES = [character(len=32) :: NAMES_OF_SPECIES]
end module KPP_ROOT_Monitor
