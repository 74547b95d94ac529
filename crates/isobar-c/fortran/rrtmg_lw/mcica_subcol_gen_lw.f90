! RRTMG_LW's generator of sub-columns: `mcica_subcol_lw` with the 20 arguments of AER's release 5, or with the 19 of
! those before, which have no `alpha`. For hosts that link no other file of RRTMG_LW: AER's own generator reads modules
! that AER's initialisation fills.
!
! A sub-column is cloudy in a layer where a random number is at least 1 less the layer's cloud fraction. The numbers of
! neighbouring layers depend on each other as the overlap says. Both generators of RRTMG_LW are here: KISS (Marsaglia),
! seeded by each column's four lowest pressures, and the Mersenne Twister (Matsumoto and Nishimura 1998,
! doi:10.1145/272991.272995), whose numbers all columns of a call share.
module mcica_subcol_gen_lw
  use, intrinsic :: iso_fortran_env, only: int64
  use parkind, only: im => kind_im, rb => kind_rb
  implicit none
  private
  public :: mcica_subcol_lw

  interface mcica_subcol_lw
    module procedure mcica_subcol_lw_5, mcica_subcol_lw_4
  end interface mcica_subcol_lw

  integer, parameter :: points = 140
  real(rb), parameter :: least_cloud = 1.0e-20_rb
  ! Numbers of 32 bits, without a sign, in 64.
  integer(int64), parameter :: all_bits = 4294967295_int64, sign_bit = 2147483648_int64

  ! Numbers from either generator.
  type :: generator
    integer(int64) :: kiss(4) = 0
    integer(int64) :: twister(0:623) = 0
    integer :: taken = 624
    logical :: is_twister = .false.
  contains
    procedure :: next
  end type generator

contains

  subroutine mcica_subcol_lw_5(iplon, ncol, nlay, icld, permuteseed, irng, play, cldfrac, ciwp, clwp, rei, rel, tauc, &
      alpha, cldfmcl, ciwpmcl, clwpmcl, reicmcl, relqmcl, taucmcl)
    ! Not read; columns and layers.
    integer(im), intent(in) :: iplon, ncol, nlay
    ! Overlap: 0 no clouds, and nothing is written; 1 random, 2 maximum-random, 3 maximum, 4 exponential, 5 exponential
    ! within a cloud and random across clear layers.
    integer(im), intent(in) :: icld
    ! The seed of the Mersenne Twister; how often KISS is advanced first.
    integer(im), intent(in) :: permuteseed
    ! 0 KISS, 1 the Mersenne Twister; what is neither becomes 1.
    integer(im), intent(inout) :: irng
    ! Pressure [hPa], cloud fraction, water paths [g/m2] and sizes [um] of layers (ncol, nlay).
    real(rb), intent(in) :: play(:, :), cldfrac(:, :), ciwp(:, :), clwp(:, :), rei(:, :), rel(:, :)
    ! Optical depth of the clouds (16, ncol, nlay).
    real(rb), intent(in) :: tauc(:, :, :)
    ! For exponential overlap: the part of each layer's sub-columns that are as those of the layer below (ncol, nlay).
    real(rb), intent(in) :: alpha(:, :)
    ! Sub-columns (140, ncol, nlay): 1 where there is a cloud; its water paths and optical depth.
    real(rb), intent(out) :: cldfmcl(:, :, :), ciwpmcl(:, :, :), clwpmcl(:, :, :)
    ! The sizes as they came (ncol, nlay).
    real(rb), intent(out) :: reicmcl(:, :), relqmcl(:, :)
    real(rb), intent(out) :: taucmcl(:, :, :)
    integer, parameter :: band(points) = [spread(1, 1, 10), spread(2, 1, 12), spread(3, 1, 16), spread(4, 1, 14), &
      spread(5, 1, 16), spread(6, 1, 8), spread(7, 1, 12), spread(8, 1, 8), spread(9, 1, 12), spread(10, 1, 6), &
      spread(11, 1, 8), spread(12, 1, 8), spread(13, 1, 4), spread(14, 1, 2), spread(15, 1, 2), spread(16, 1, 2)]
    real(rb) :: cloud(ncol, nlay), first(nlay), second(nlay)
    type(generator) :: numbers
    integer :: point, column, layer

    if (.false. .and. iplon == 0) return
    if (icld == 0) return
    if (icld < 0 .or. icld > 5) error stop 'mcica_subcol_lw: icld is not 0 to 5'
    if (irng /= 0) irng = 1
    reicmcl(:ncol, :nlay) = rei(:ncol, :nlay)
    relqmcl(:ncol, :nlay) = rel(:ncol, :nlay)
    cloud = cldfrac(:ncol, :nlay)
    where (cloud < least_cloud) cloud = 0
    numbers%is_twister = irng == 1
    if (numbers%is_twister) numbers%twister = twister_of(permuteseed)

    ! KISS is each column's own, the Twister that of all, whose columns are the inner loop.
    if (numbers%is_twister) then
      do point = 1, points
        do column = 1, ncol
          call draw(numbers, icld, first, second)
          call take(point, column)
        end do
      end do
    else
      do column = 1, ncol
        numbers%kiss = kiss_of(100 * play(column, 1:4), permuteseed)
        do point = 1, points
          call draw(numbers, icld, first, second)
          call take(point, column)
        end do
      end do
    end if

  contains

    ! Makes a sub-column of its random numbers.
    subroutine take(point, column)
      integer, intent(in) :: point, column
      logical :: is_cloudy

      call overlapped(icld, cloud(column, :), alpha(column, :), first, second)
      do layer = 1, nlay
        is_cloudy = first(layer) >= 1 - cloud(column, layer)
        cldfmcl(point, column, layer) = merge(1, 0, is_cloudy)
        ciwpmcl(point, column, layer) = merge(ciwp(column, layer), 0.0_rb, is_cloudy)
        clwpmcl(point, column, layer) = merge(clwp(column, layer), 0.0_rb, is_cloudy)
        taucmcl(point, column, layer) = merge(tauc(band(point), column, layer), 0.0_rb, is_cloudy)
      end do
    end subroutine take

  end subroutine mcica_subcol_lw_5

  subroutine mcica_subcol_lw_4(iplon, ncol, nlay, icld, permuteseed, irng, play, cldfrac, ciwp, clwp, rei, rel, tauc, &
      cldfmcl, ciwpmcl, clwpmcl, reicmcl, relqmcl, taucmcl)
    integer(im), intent(in) :: iplon, ncol, nlay, icld, permuteseed
    integer(im), intent(inout) :: irng
    real(rb), intent(in) :: play(:, :), cldfrac(:, :), ciwp(:, :), clwp(:, :), rei(:, :), rel(:, :), tauc(:, :, :)
    real(rb), intent(out) :: cldfmcl(:, :, :), ciwpmcl(:, :, :), clwpmcl(:, :, :), reicmcl(:, :), relqmcl(:, :)
    real(rb), intent(out) :: taucmcl(:, :, :)
    real(rb) :: alpha(ncol, nlay)

    if (icld > 3) error stop 'mcica_subcol_lw: without alpha icld is 0 to 3'
    alpha = 0
    call mcica_subcol_lw_5(iplon, ncol, nlay, icld, permuteseed, irng, play, cldfrac, ciwp, clwp, rei, rel, tauc, &
      alpha, cldfmcl, ciwpmcl, clwpmcl, reicmcl, relqmcl, taucmcl)
  end subroutine mcica_subcol_lw_4

  ! Draws the random numbers of a sub-column in the order of RRTMG_LW.
  subroutine draw(numbers, icld, first, second)
    type(generator), intent(inout) :: numbers
    integer(im), intent(in) :: icld
    real(rb), intent(out) :: first(:), second(:)
    integer :: layer

    second = 0
    if (icld == 3) then
      first = numbers%next()
      return
    end if
    do layer = 1, size(first)
      first(layer) = numbers%next()
      if (icld >= 4) second(layer) = numbers%next()
    end do
  end subroutine draw

  ! Makes the numbers of neighbouring layers depend on each other, from the surface up.
  subroutine overlapped(icld, cloud, alpha, first, second)
    integer(im), intent(in) :: icld
    real(rb), intent(in) :: cloud(:), alpha(:), second(:)
    real(rb), intent(inout) :: first(:)
    real(rb) :: as_below
    integer :: layer

    do layer = 2, size(first)
      select case (icld)
      case (2)
        if (first(layer - 1) > 1 - cloud(layer - 1)) then
          first(layer) = first(layer - 1)
        else
          first(layer) = first(layer) * (1 - cloud(layer - 1))
        end if
      case (4, 5)
        as_below = alpha(layer)
        if (icld == 5 .and. cloud(layer) == 0 .and. cloud(layer - 1) > 0) as_below = 0
        if (second(layer) < as_below) first(layer) = first(layer - 1)
      end select
    end do
  end subroutine overlapped

  ! The next number, from 0 to 1.
  real(rb) function next(self)
    class(generator), intent(inout) :: self
    integer(int64) :: bits

    if (self%is_twister) then
      bits = next_of_twister(self)
      next = real(bits, rb) / real(all_bits, rb)
    else
      bits = next_of_kiss(self%kiss)
      ! Signed.
      if (bits >= sign_bit) bits = bits - all_bits - 1
      next = real(bits, rb) * 2.328306e-10_rb + 0.5_rb
    end if
  end function next

  ! KISS after a number of steps, seeded by the digits behind the point of four pressures [Pa].
  function kiss_of(pressure, steps) result(seeds)
    real(rb), intent(in) :: pressure(4)
    integer(im), intent(in) :: steps
    integer(int64) :: seeds(4), unused
    integer :: i

    seeds = int((pressure - int(pressure)) * 1000000000.0_rb, int64)
    do i = 1, steps
      unused = next_of_kiss(seeds)
    end do
  end function kiss_of

  integer(int64) function next_of_kiss(seeds) result(bits)
    integer(int64), intent(inout) :: seeds(4)

    seeds(1) = iand(69069 * seeds(1) + 1327217885, all_bits)
    seeds(2) = ieor(seeds(2), iand(ishft(seeds(2), 13), all_bits))
    seeds(2) = ieor(seeds(2), ishft(seeds(2), -17))
    seeds(2) = ieor(seeds(2), iand(ishft(seeds(2), 5), all_bits))
    seeds(3) = 18000 * iand(seeds(3), 65535_int64) + ishft(seeds(3), -16)
    seeds(4) = 30903 * iand(seeds(4), 65535_int64) + ishft(seeds(4), -16)
    bits = iand(seeds(1) + seeds(2) + ishft(seeds(3), 16) + seeds(4), all_bits)
  end function next_of_kiss

  ! The state of the Mersenne Twister MT19937 for a seed.
  function twister_of(seed) result(state)
    integer(im), intent(in) :: seed
    integer(int64) :: state(0:623)
    integer :: i

    state(0) = iand(int(seed, int64), all_bits)
    do i = 1, 623
      state(i) = iand(1812433253_int64 * ieor(state(i - 1), ishft(state(i - 1), -30)) + i, all_bits)
    end do
  end function twister_of

  integer(int64) function next_of_twister(self) result(bits)
    class(generator), intent(inout) :: self
    integer(int64) :: pair
    integer :: i

    if (self%taken == 624) then
      do i = 0, 623
        pair = ior(iand(self%twister(i), sign_bit), iand(self%twister(mod(i + 1, 624)), 2147483647_int64))
        self%twister(i) = ieor(self%twister(mod(i + 397, 624)), ishft(pair, -1))
        if (btest(pair, 0)) self%twister(i) = ieor(self%twister(i), 2567483615_int64)
      end do
      self%taken = 0
    end if
    bits = self%twister(self%taken)
    self%taken = self%taken + 1
    bits = ieor(bits, ishft(bits, -11))
    bits = ieor(bits, iand(ishft(bits, 7), 2636928640_int64))
    bits = ieor(bits, iand(ishft(bits, 15), 4022730752_int64))
    bits = ieor(bits, ishft(bits, -18))
  end function next_of_twister

end module mcica_subcol_gen_lw
