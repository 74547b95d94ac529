! What YSU and Shin-Hong of MMM-physics have in common: constants, fields, towns.
module isobar_boundary_layer
  use, intrinsic :: iso_fortran_env, only: int32
  use ccpp_kind_types, only: kind_phys
  use isobar, only: isobar_arrays
  use isobar_ccpp, only: check_constants, check_ratio
  implicit none
  private
  public :: add_air, add_surface, add_results, add_town, check_host, put_constants, take_results

  ! Arrays that a host does not have.
  type, public :: own_arrays
    ! Zeros of layers and columns, ones of columns.
    real(kind_phys), allocatable :: nothing(:, :), none(:), one(:)
    ! The wind at 10 m and the layer of the top, as the library gives them.
    real(kind_phys), allocatable :: u_10m(:), v_10m(:)
    integer(int32), allocatable :: level(:)
  contains
    procedure :: make
  end type own_arrays

contains

  subroutine make(self, its, ite, kte)
    class(own_arrays), intent(inout) :: self
    integer, intent(in) :: its, ite, kte

    allocate (self%nothing(its:ite, kte), source=0.0_kind_phys)
    allocate (self%none(its:ite), source=0.0_kind_phys)
    allocate (self%one(its:ite), source=1.0_kind_phys)
    allocate (self%u_10m(its:ite), self%v_10m(its:ite), self%level(its:ite))
  end subroutine make

  ! Layers, and tracers if there are any, with the tendencies of what is not always mixed.
  subroutine add_air(inputs, outputs, own, its, ite, kte, ux, vx, tx, qvx, qcx, qix, nmix, qmix, p2d, p2di, pi2d, &
                     f_qc, f_qi, qctnp, qitnp, qmixtnp, dz8w2d)
    type(isobar_arrays), intent(inout) :: inputs, outputs
    type(own_arrays), intent(in), target :: own
    integer, intent(in) :: its, ite, kte, nmix
    real(kind_phys), intent(in), target :: ux(its:, :), vx(its:, :), tx(its:, :)
    real(kind_phys), intent(in), target :: qvx(its:, :), qcx(its:, :), qix(its:, :), qmix(its:, :, :)
    real(kind_phys), intent(in), target :: p2d(its:, :), p2di(its:, :), pi2d(its:, :), dz8w2d(its:, :)
    logical, intent(in) :: f_qc, f_qi
    real(kind_phys), intent(inout), target :: qctnp(its:, :), qitnp(its:, :), qmixtnp(its:, :, :)

    call inputs%add('u_m_per_s', ux(its:ite, :kte))
    call inputs%add('v_m_per_s', vx(its:ite, :kte))
    call inputs%add('temperature_k', tx(its:ite, :kte))
    call inputs%add('vapour_kg_per_kg', qvx(its:ite, :kte))
    if (f_qc) then
      call inputs%add('cloud_water_kg_per_kg', qcx(its:ite, :kte))
      call outputs%add('cloud_water_tendency_kg_per_kg_s', qctnp(its:ite, :kte))
    else
      call inputs%add('cloud_water_kg_per_kg', own%nothing)
    end if
    if (f_qi) then
      call inputs%add('cloud_ice_kg_per_kg', qix(its:ite, :kte))
      call outputs%add('cloud_ice_tendency_kg_per_kg_s', qitnp(its:ite, :kte))
    else
      call inputs%add('cloud_ice_kg_per_kg', own%nothing)
    end if
    call inputs%add('pressure_pa', p2d(its:ite, :kte))
    call inputs%add('exner', pi2d(its:ite, :kte))
    call inputs%add('thickness_m', dz8w2d(its:ite, :kte))
    call inputs%add('interface_pressure_pa', p2di(its:ite, :kte + 1))
    ! The field's dimensions are columns, tracers, layers in the order of memory: the array's first, third and second.
    if (nmix > 0) then
      call inputs%add('tracers', qmix(its:ite, :kte, :nmix), order=[1, 3, 2])
      call outputs%add('tracers_tendency_per_s', qmixtnp(its:ite, :kte, :nmix), order=[1, 3, 2])
    end if
  end subroutine add_air

  ! The surface. Without currents they are 0, and without `ctopo` there is no unresolved orography.
  subroutine add_surface(inputs, own, its, ite, psfcpa, znt, ust, psim, psih, xland, hfx, qfx, wspd, br, u10, v10, &
                         uox, vox, ctopo, ctopo2)
    type(isobar_arrays), intent(inout) :: inputs
    type(own_arrays), intent(in), target :: own
    integer, intent(in) :: its, ite
    real(kind_phys), intent(in), target :: psfcpa(its:), znt(its:), ust(its:), psim(its:), psih(its:), xland(its:)
    real(kind_phys), intent(in), target :: hfx(its:), qfx(its:), wspd(its:), br(its:), u10(its:), v10(its:)
    real(kind_phys), intent(in), target, optional :: uox(its:), vox(its:), ctopo(its:), ctopo2(its:)

    call inputs%add('surface_pressure_pa', psfcpa(its:ite))
    call inputs%add('roughness_m', znt(its:ite))
    call inputs%add('friction_velocity_m_per_s', ust(its:ite))
    call inputs%add('profile_momentum', psim(its:ite))
    call inputs%add('profile_heat', psih(its:ite))
    call inputs%add('land_or_water', xland(its:ite))
    call inputs%add('sensible_heat_flux_w_per_m2', hfx(its:ite))
    call inputs%add('moisture_flux_kg_per_m2_s', qfx(its:ite))
    call inputs%add('wind_speed_m_per_s', wspd(its:ite))
    call inputs%add('richardson', br(its:ite))
    call inputs%add('u_10m_m_per_s', u10(its:ite))
    call inputs%add('v_10m_m_per_s', v10(its:ite))
    if (present(uox) .and. present(vox)) then
      call inputs%add('u_current_m_per_s', uox(its:ite))
      call inputs%add('v_current_m_per_s', vox(its:ite))
    else
      call inputs%add('u_current_m_per_s', own%none)
      call inputs%add('v_current_m_per_s', own%none)
    end if
    if (.not. present(ctopo)) return
    call inputs%add('drag_factor', ctopo(its:ite))
    if (present(ctopo2)) then
      call inputs%add('wind_weight', ctopo2(its:ite))
    else
      call inputs%add('wind_weight', own%one)
    end if
  end subroutine add_surface

  ! A town, for which all arrays have to be there; the town's share of the ground with orography only.
  subroutine add_town(caller, inputs, its, ite, kte, topographic, a_u, a_v, a_t, a_q, b_u, b_v, b_t, b_q, sfk, vlk, &
                      frcurb, errmsg, errflg)
    character(*), intent(in) :: caller
    type(isobar_arrays), intent(inout) :: inputs
    integer, intent(in) :: its, ite, kte
    logical, intent(in) :: topographic
    real(kind_phys), intent(in), target, optional :: a_u(its:, :), a_v(its:, :), a_t(its:, :), a_q(its:, :)
    real(kind_phys), intent(in), target, optional :: b_u(its:, :), b_v(its:, :), b_t(its:, :), b_q(its:, :)
    real(kind_phys), intent(in), target, optional :: sfk(its:, :), vlk(its:, :), frcurb(its:)
    character(*), intent(out) :: errmsg
    integer, intent(out) :: errflg

    errmsg = ''
    errflg = 0
    if (.not. (present(a_u) .and. present(a_v) .and. present(a_t) .and. present(a_q) .and. present(b_u) .and. &
               present(b_v) .and. present(b_t) .and. present(b_q) .and. present(sfk) .and. present(vlk) .and. &
               (present(frcurb) .or. .not. topographic))) then
      errmsg = caller // ': flag_bep is true, and a_u, a_v, a_t, a_q, b_u, b_v, b_t, b_q, sfk, vlk ' // &
        'and, with ctopo, frcurb have to be there'
      errflg = 1
      return
    end if
    call inputs%add('urban_u_rate_per_s', a_u(its:ite, :kte))
    call inputs%add('urban_v_rate_per_s', a_v(its:ite, :kte))
    call inputs%add('urban_theta_rate_per_s', a_t(its:ite, :kte))
    call inputs%add('urban_vapour_rate_per_s', a_q(its:ite, :kte))
    call inputs%add('urban_u_source_m_per_s2', b_u(its:ite, :kte))
    call inputs%add('urban_v_source_m_per_s2', b_v(its:ite, :kte))
    call inputs%add('urban_theta_source_k_per_s', b_t(its:ite, :kte))
    call inputs%add('urban_vapour_source_per_s', b_q(its:ite, :kte))
    call inputs%add('urban_open_faces', sfk(its:ite, :kte))
    call inputs%add('urban_open_volume', vlk(its:ite, :kte))
    if (topographic) call inputs%add('urban_share', frcurb(its:ite))
  end subroutine add_town

  ! Results of each run.
  subroutine add_results(outputs, own, its, ite, kte, utnp, vtnp, ttnp, qvtnp, hpbl, exch_hx, exch_mx, wstar, delta, &
                         dusfc, dvsfc, dtsfc, dqsfc)
    type(isobar_arrays), intent(inout) :: outputs
    type(own_arrays), intent(inout), target :: own
    integer, intent(in) :: its, ite, kte
    real(kind_phys), intent(inout), target :: utnp(its:, :), vtnp(its:, :), ttnp(its:, :), qvtnp(its:, :)
    real(kind_phys), intent(inout), target :: hpbl(its:), exch_hx(its:, :), exch_mx(its:, :), wstar(its:), delta(its:)
    real(kind_phys), intent(inout), target, optional :: dusfc(its:), dvsfc(its:), dtsfc(its:), dqsfc(its:)

    call outputs%add('u_tendency_m_per_s2', utnp(its:ite, :kte))
    call outputs%add('v_tendency_m_per_s2', vtnp(its:ite, :kte))
    call outputs%add('theta_tendency_k_per_s', ttnp(its:ite, :kte))
    call outputs%add('vapour_tendency_kg_per_kg_s', qvtnp(its:ite, :kte))
    call outputs%add('diffusivity_heat_m2_per_s', exch_hx(its:ite, :kte))
    call outputs%add('diffusivity_momentum_m2_per_s', exch_mx(its:ite, :kte))
    call outputs%add('height_m', hpbl(its:ite))
    call outputs%add('convective_velocity_m_per_s', wstar(its:ite))
    call outputs%add('entrainment_depth_m', delta(its:ite))
    call outputs%add('u_10m_m_per_s', own%u_10m)
    call outputs%add('v_10m_m_per_s', own%v_10m)
    if (present(dusfc)) call outputs%add('stress_u_n_per_m2', dusfc(its:ite))
    if (present(dvsfc)) call outputs%add('stress_v_n_per_m2', dvsfc(its:ite))
    if (present(dtsfc)) call outputs%add('heat_w_per_m2', dtsfc(its:ite))
    if (present(dqsfc)) call outputs%add('latent_heat_w_per_m2', dqsfc(its:ite))
    call outputs%add('level', own%level)
  end subroutine add_results

  ! What differs from the library's results: tendencies of temperature, not of potential temperature; in-out winds.
  subroutine take_results(own, its, ite, kte, pi2d, ttnp, kpbl1d, u10, v10)
    type(own_arrays), intent(in) :: own
    integer, intent(in) :: its, ite, kte
    real(kind_phys), intent(in) :: pi2d(its:, :)
    real(kind_phys), intent(inout) :: ttnp(its:, :), u10(its:), v10(its:)
    integer, intent(inout) :: kpbl1d(its:)

    ttnp(its:ite, :kte) = ttnp(its:ite, :kte) * pi2d(its:ite, :kte)
    kpbl1d(its:ite) = own%level
    u10(its:ite) = own%u_10m
    v10(its:ite) = own%v_10m
  end subroutine take_results

  ! Puts the host's constants into an object of options, after others.
  subroutine put_constants(options, cp, g, rd, rv, karman, xlv)
    character(*), intent(inout) :: options
    real(kind_phys), intent(in) :: cp, g, rd, rv, karman, xlv
    character(30), parameter :: names(6) = [character(30) :: 'heat_capacity_j_per_kg_k', 'gravity_m_per_s2', &
      'gas_constant_j_per_kg_k', 'vapour_gas_constant_j_per_kg_k', 'karman', 'latent_heat_j_per_kg']
    real(kind_phys) :: given(6)
    integer :: i

    given = [cp, g, rd, rv, karman, xlv]
    options = trim(options) // ', "constants": {'
    do i = 1, size(given)
      if (i > 1) options = trim(options) // ','
      options = trim(options) // ' "' // trim(names(i)) // '": ' // shortest(given(i))
    end do
    options = trim(options) // '}'
  end subroutine put_constants

  ! The fewest digits that the host's precision reads as this number: the library, which derives others from it in
  ! double precision, gets what was written in the host's source, 9.81 and not what single precision makes of it.
  function shortest(value) result(digits)
    real(kind_phys), intent(in) :: value
    character(26) :: digits, number
    character(12) :: form
    real(kind_phys) :: back
    integer :: places

    do places = 4, 16
      write (form, '(a, i0, a)') '(es26.', places, 'e3)'
      write (number, form) value
      read (number, *) back
      if (back == value) exit
    end do
    digits = adjustl(number)
  end function shortest

  ! Constants that follow from others have to do so, and there have to be enough interfaces.
  subroutine check_host(caller, cp, g, rovcp, rd, rovg, ep1, ep2, rv, karman, xlv, interfaces, kte, kme, errmsg, &
                        errflg)
    character(*), intent(in) :: caller
    real(kind_phys), intent(in) :: cp, g, rovcp, rd, rovg, ep1, ep2, rv, karman, xlv
    integer, intent(in) :: interfaces, kte, kme
    character(*), intent(out) :: errmsg
    integer, intent(out) :: errflg

    call check_constants(caller, [character(6) :: 'cp', 'g', 'rd', 'rv', 'karman', 'xlv'], &
      [cp, g, rd, rv, karman, xlv], errmsg, errflg)
    if (errflg /= 0) return
    call check_ratio(caller, 'rovcp', rovcp, 'rd/cp', rd / cp, errmsg, errflg)
    if (errflg == 0) call check_ratio(caller, 'rovg', rovg, 'rd/g', rd / g, errmsg, errflg)
    if (errflg == 0) call check_ratio(caller, 'ep1', ep1, 'rv/rd - 1', rv / rd - 1, errmsg, errflg)
    if (errflg == 0) call check_ratio(caller, 'ep2', ep2, 'rd/rv', rd / rv, errmsg, errflg)
    if (errflg /= 0) return
    if (kme < kte .or. interfaces < kte + 1) then
      errmsg = caller // ': p2di has to have kte + 1 interfaces, and kme is at least kte'
      errflg = 1
    end if
  end subroutine check_host

end module isobar_boundary_layer
