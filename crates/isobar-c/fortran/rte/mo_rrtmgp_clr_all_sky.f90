! RTE+RRTMGP's flux call by Isobar: `rte_lw` and `rte_sw` of the extension of this name, from gases and clouds to fluxes
! with and without clouds. The modules beside this file have the types that it takes, under the names of RTE+RRTMGP:
! a program that uses these compiles against either.
!
! Clouds fill the layers in which they are. Layers may go up or down. What is not there is an error: aerosol
! (aer_props), columns of dry air (col_dry), radiation that comes in at the top by g-point (inc_flux; see set_tsi).
module mo_rrtmgp_clr_all_sky
  use, intrinsic :: ieee_arithmetic, only: ieee_all, ieee_get_status, ieee_is_finite, ieee_set_halting_mode, &
    ieee_set_status, ieee_status_type
  use isobar, only: isobar_arrays, isobar_scheme
  use mo_fluxes, only: ty_fluxes, ty_fluxes_broadband
  use mo_gas_concentrations, only: ty_gas_concs
  use mo_gas_optics_rrtmgp, only: make_scheme, ty_gas_optics_rrtmgp
  use mo_optical_props, only: ty_optical_props_1scl, ty_optical_props_arry
  use mo_rte_kind, only: wp
  implicit none
  private
  public :: rte_lw, rte_sw

  ! Schemes with tables of clouds, made once.
  type :: with_clouds
    character(:), allocatable :: file, cloud_file
    integer :: roughness = 0
    type(isobar_scheme) :: scheme
  end type with_clouds
  integer, parameter :: most_schemes = 16
  type(with_clouds), save, target :: known(most_schemes)
  integer, save :: known_count = 0

contains

  function rte_lw(k_dist, gas_concs, p_lay, t_lay, p_lev, t_sfc, sfc_emis, cloud_props, allsky_fluxes, clrsky_fluxes, &
      aer_props, col_dry, t_lev, inc_flux, n_gauss_angles) result(error_msg)
    class(ty_gas_optics_rrtmgp), intent(in) :: k_dist
    type(ty_gas_concs), intent(in) :: gas_concs
    ! Pressure [Pa] and temperature [K] of layers (ncol, nlay), pressure of levels (ncol, nlay + 1).
    real(wp), intent(in), target :: p_lay(:, :), t_lay(:, :), p_lev(:, :)
    ! Temperature of the surface (ncol), and its emissivity (nband, ncol).
    real(wp), intent(in), target :: t_sfc(:), sfc_emis(:, :)
    class(ty_optical_props_arry), intent(in) :: cloud_props
    class(ty_fluxes), intent(inout) :: allsky_fluxes, clrsky_fluxes
    class(ty_optical_props_arry), intent(in), optional :: aer_props
    real(wp), intent(in), optional :: col_dry(:, :)
    ! Temperature of levels; interpolated where it is not given.
    real(wp), intent(in), target, optional :: t_lev(:, :)
    real(wp), intent(in), optional :: inc_flux(:, :)
    ! Angles of the quadrature, 1 to 4.
    integer, intent(in), optional :: n_gauss_angles
    character(128) :: error_msg
    type(isobar_arrays), target :: inputs
    real(wp), target :: levels(size(t_lay, 1), size(t_lay, 2) + 1)
    character(80) :: options
    integer :: angles

    error_msg = refused(k_dist, .true., present(aer_props), present(col_dry), present(inc_flux), p_lay, t_lay, &
      p_lev, cloud_props)
    call check_shape('rte_lw: t_sfc', shape(t_sfc), [size(p_lay, 1)], error_msg)
    call check_shape('rte_lw: sfc_emis', shape(sfc_emis), [k_dist%get_nband(), size(p_lay, 1)], error_msg)
    if (error_msg == '' .and. cloud_props%is_scaled .and. has_clouds(cloud_props)) &
      error_msg = 'rte_lw: scaled clouds of the long wave are not there in Isobar: leave out delta_scale'
    if (error_msg /= '') return
    angles = 1
    if (present(n_gauss_angles)) angles = n_gauss_angles
    if (angles < 1 .or. angles > 4) error_msg = 'rte_lw: n_gauss_angles is not 1 to 4'
    if (present(t_lev)) then
      if (any(shape(t_lev) /= shape(levels))) error_msg = 'rte_lw: t_lev has another shape'
      if (error_msg == '') levels = t_lev
    else if (size(p_lay, 2) < 2) then
      error_msg = 'rte_lw: t_lev is needed where there are not two layers'
    else
      call interpolate(p_lay, t_lay, p_lev, levels)
    end if
    if (error_msg /= '') return
    call inputs%add('level_pressure_pa', p_lev)
    call inputs%add('pressure_pa', p_lay)
    call inputs%add('temperature_k', t_lay)
    call inputs%add('level_temperature_k', levels)
    call inputs%add('surface_temperature_k', t_sfc)
    call inputs%add('emissivity', sfc_emis, order=[2, 1])
    write (options, '(a, i0, a)') '"angles": {"gauss": ', angles, '}, "longwave_scattering": "rescaled"'
    select type (cloud_props)
    class is (ty_optical_props_1scl)
      write (options, '(a, i0, a)') '"angles": {"gauss": ', angles, '}, "longwave_scattering": "none"'
    end select
    call compute(k_dist, gas_concs, inputs, trim(options), p_lay, cloud_props, 'longwave', allsky_fluxes, &
      clrsky_fluxes, error_msg)
  end function rte_lw

  function rte_sw(k_dist, gas_concs, p_lay, t_lay, p_lev, mu0, sfc_alb_dir, sfc_alb_dif, cloud_props, allsky_fluxes, &
      clrsky_fluxes, aer_props, col_dry, inc_flux) result(error_msg)
    class(ty_gas_optics_rrtmgp), intent(in) :: k_dist
    type(ty_gas_concs), intent(in) :: gas_concs
    real(wp), intent(in), target :: p_lay(:, :), t_lay(:, :), p_lev(:, :)
    ! Cosine of the sun's zenith angle (ncol), albedo for the beam and for diffuse light (nband, ncol).
    real(wp), intent(in), target :: mu0(:), sfc_alb_dir(:, :), sfc_alb_dif(:, :)
    class(ty_optical_props_arry), intent(in) :: cloud_props
    class(ty_fluxes), intent(inout) :: allsky_fluxes, clrsky_fluxes
    class(ty_optical_props_arry), intent(in), optional :: aer_props
    real(wp), intent(in), optional :: col_dry(:, :), inc_flux(:, :)
    character(128) :: error_msg
    type(isobar_arrays), target :: inputs
    real(wp), target :: irradiance(size(mu0))

    error_msg = refused(k_dist, .false., present(aer_props), present(col_dry), present(inc_flux), p_lay, t_lay, &
      p_lev, cloud_props)
    call check_shape('rte_sw: mu0', shape(mu0), [size(p_lay, 1)], error_msg)
    call check_shape('rte_sw: sfc_alb_dir', shape(sfc_alb_dir), [k_dist%get_nband(), size(p_lay, 1)], error_msg)
    call check_shape('rte_sw: sfc_alb_dif', shape(sfc_alb_dif), [k_dist%get_nband(), size(p_lay, 1)], error_msg)
    if (error_msg == '' .and. .not. cloud_props%is_scaled .and. has_clouds(cloud_props)) &
      error_msg = 'rte_sw: clouds whose forward peak is not scaled are not there in Isobar: call delta_scale'
    select type (cloud_props)
    class is (ty_optical_props_1scl)
      error_msg = 'rte_sw: clouds have to scatter: ty_optical_props_2str'
    end select
    if (error_msg /= '') return
    call inputs%add('level_pressure_pa', p_lev)
    call inputs%add('pressure_pa', p_lay)
    call inputs%add('temperature_k', t_lay)
    call inputs%add('cosine_zenith', mu0)
    call inputs%add('surface_albedo_direct', sfc_alb_dir, order=[2, 1])
    call inputs%add('surface_albedo_diffuse', sfc_alb_dif, order=[2, 1])
    if (allocated(k_dist%irradiance)) then
      irradiance = k_dist%irradiance
      call inputs%add('total_solar_irradiance_w_per_m2', irradiance)
    end if
    call compute(k_dist, gas_concs, inputs, '"delta_scaling": "particles"', p_lay, cloud_props, 'shortwave', &
      allsky_fluxes, clrsky_fluxes, error_msg)
  end function rte_sw

  ! What of the interface is not there, or does not go together.
  function refused(k_dist, is_longwave, aerosol, dry_air, incoming, p_lay, t_lay, p_lev, cloud_props) &
      result(error_msg)
    class(ty_gas_optics_rrtmgp), intent(in) :: k_dist
    logical, intent(in) :: is_longwave, aerosol, dry_air, incoming
    real(wp), intent(in) :: p_lay(:, :), t_lay(:, :), p_lev(:, :)
    class(ty_optical_props_arry), intent(in) :: cloud_props
    character(128) :: error_msg

    error_msg = ''
    if (any(shape(t_lay) /= shape(p_lay))) error_msg = 'rte: t_lay has another shape than p_lay'
    if (any(shape(p_lev) /= shape(p_lay) + [0, 1])) error_msg = 'rte: p_lev has not a level more than p_lay has layers'
    if (any([cloud_props%get_ncol(), cloud_props%get_nlay()] /= shape(p_lay))) &
      error_msg = 'rte: cloud_props have another shape than p_lay'
    if (aerosol) error_msg = 'rte: aer_props is not there in Isobar''s interface'
    if (dry_air) error_msg = 'rte: col_dry is not there in Isobar''s interface'
    if (incoming) error_msg = 'rte: inc_flux is not there in Isobar''s interface: see set_tsi'
    if (.not. k_dist%is_loaded()) then
      error_msg = 'rte: no k-distribution has been loaded'
    else if (is_longwave .neqv. k_dist%source_is_internal()) then
      error_msg = 'rte: the k-distribution is that of the other part of the spectrum'
    end if
  end function refused

  ! The library spreads an array of fewer columns or bands: an error here, unless there was another before.
  subroutine check_shape(name, has, wanted, error_msg)
    character(*), intent(in) :: name
    integer, intent(in) :: has(:), wanted(:)
    character(128), intent(inout) :: error_msg
    if (error_msg /= '' .or. all(has == wanted)) return
    error_msg = name // ' has the shape ' // trim(in_words(has)) // ', and has to have ' // in_words(wanted)
  end subroutine check_shape

  function in_words(shape) result(text)
    integer, intent(in) :: shape(:)
    ! Of a length that is known: gfortran keeps others in static variables.
    character(32) :: text
    write (text, '("(", *(i0, :, ", "))') shape
    text(len_trim(text) + 1:) = ')'
  end function in_words

  ! Fluxes of the clear sky, and with clouds where there are any.
  subroutine compute(k_dist, gas_concs, inputs, options, p_lay, cloud_props, spectrum, allsky_fluxes, clrsky_fluxes, &
      error_msg)
    class(ty_gas_optics_rrtmgp), intent(in), target :: k_dist
    type(ty_gas_concs), intent(in), target :: gas_concs
    type(isobar_arrays), intent(inout), target :: inputs
    character(*), intent(in) :: options, spectrum
    real(wp), intent(in) :: p_lay(:, :)
    class(ty_optical_props_arry), intent(in), target :: cloud_props
    class(ty_fluxes), intent(inout) :: allsky_fluxes, clrsky_fluxes
    character(128), intent(out) :: error_msg
    type(isobar_arrays), target :: outputs
    real(wp), dimension(size(p_lay, 1), size(p_lay, 2) + 1), target :: up, down, direct, up_clear, down_clear
    real(wp), target :: fraction(size(p_lay, 1), size(p_lay, 2))
    type(isobar_scheme), pointer :: scheme
    logical :: top_first, is_set
    integer :: i, n

    error_msg = ''
    call check_path('lwp', cloud_props%lwp, error_msg)
    if (error_msg == '') call check_path('iwp', cloud_props%iwp, error_msg)
    if (error_msg == '') call check_fluxes('allsky_fluxes', allsky_fluxes, shape(up), error_msg)
    if (error_msg == '') call check_fluxes('clrsky_fluxes', clrsky_fluxes, shape(up), error_msg)
    if (error_msg /= '') return
    do i = 1, size(k_dist%gases)
      n = gas_concs%find(k_dist%gases(i))
      is_set = n > 0
      if (is_set) is_set = allocated(gas_concs%gases(n)%vmr)
      if (.not. is_set) then
        error_msg = 'rte: gas_concs has no ' // trim(k_dist%gases(i)) // ', which the k-distribution was loaded with'
        return
      end if
      call check_gas(trim(k_dist%gases(i)), shape(gas_concs%gases(n)%vmr), shape(p_lay), error_msg)
      if (error_msg /= '') return
      call inputs%add(trim(k_dist%gases(i)), gas_concs%gases(n)%vmr)
    end do
    call outputs%add(spectrum // '_up_w_per_m2', up)
    call outputs%add(spectrum // '_down_w_per_m2', down)
    direct = 0
    if (spectrum == 'shortwave') call outputs%add('shortwave_direct_w_per_m2', direct)
    top_first = is_rising(p_lay)

    fraction = 0
    where (cloud_props%lwp > 0 .or. cloud_props%iwp > 0) fraction = 1
    if (.not. any(fraction > 0)) then
      call run(k_dist%scheme, '')
      if (error_msg == '') call give(clrsky_fluxes, up, down)
      if (error_msg == '') call give(allsky_fluxes, up, down)
      return
    end if
    ! A run with clouds has the fluxes without them, too, but for the sun's beam.
    if (wants_beam(clrsky_fluxes)) then
      call run(k_dist%scheme, '')
      if (error_msg == '') call give(clrsky_fluxes, up, down)
    end if
    if (error_msg /= '') return
    scheme => scheme_with(k_dist%file, cloud_props%file, cloud_props%roughness, error_msg)
    if (error_msg /= '') return
    call inputs%add('cloud_fraction', fraction)
    call inputs%add('liquid_path_g_per_m2', cloud_props%lwp)
    call inputs%add('ice_path_g_per_m2', cloud_props%iwp)
    call inputs%add('liquid_radius_um', cloud_props%rel)
    call inputs%add('ice_size_um', cloud_props%dei)
    if (.not. wants_beam(clrsky_fluxes)) then
      call outputs%add(spectrum // '_up_clear_w_per_m2', up_clear)
      call outputs%add(spectrum // '_down_clear_w_per_m2', down_clear)
      call run(scheme, ', "clear_sky": true')
      if (error_msg == '') call give(clrsky_fluxes, up_clear, down_clear)
    else
      call run(scheme, '')
    end if
    if (error_msg == '') call give(allsky_fluxes, up, down)

  contains

    subroutine run(scheme, further)
      type(isobar_scheme), intent(in) :: scheme
      character(*), intent(in) :: further
      character(512) :: message
      integer :: stat
      call scheme%run(inputs, outputs, '{' // options // further // '}', stat, message, top_first)
      if (stat /= 0) error_msg = message(:128)
    end subroutine run

    logical function wants_beam(fluxes)
      class(ty_fluxes), intent(in) :: fluxes
      wants_beam = .false.
      select type (fluxes)
      class is (ty_fluxes_broadband)
        wants_beam = associated(fluxes%flux_dn_dir)
      end select
    end function wants_beam

    subroutine give(fluxes, up, down)
      class(ty_fluxes), intent(inout) :: fluxes
      real(wp), intent(in) :: up(:, :), down(:, :)
      select type (fluxes)
      class is (ty_fluxes_broadband)
        if (associated(fluxes%flux_up)) fluxes%flux_up = up
        if (associated(fluxes%flux_dn)) fluxes%flux_dn = down
        if (associated(fluxes%flux_net)) fluxes%flux_net = down - up
        if (associated(fluxes%flux_dn_dir)) fluxes%flux_dn_dir = direct
      end select
    end subroutine give

  end subroutine compute

  ! A gas has one mixing ratio for all, one a layer, or one a column and layer, as set_vmr has them.
  subroutine check_gas(name, has, wanted, error_msg)
    character(*), intent(in) :: name
    integer, intent(in) :: has(2), wanted(2)
    character(128), intent(inout) :: error_msg
    if (all(has == 1) .or. all(has == [1, wanted(2)]) .or. all(has == wanted)) return
    error_msg = 'rte: ' // name // ' of gas_concs has the shape ' // trim(in_words(has)) // &
      ', and has to have (1, 1), ' // trim(in_words([1, wanted(2)])) // ' or ' // in_words(wanted)
  end subroutine check_gas

  ! Where fluxes are to go, there has to be room for all columns and levels, and no more.
  subroutine check_fluxes(name, fluxes, wanted, error_msg)
    character(*), intent(in) :: name
    class(ty_fluxes), intent(in) :: fluxes
    integer, intent(in) :: wanted(2)
    character(128), intent(inout) :: error_msg

    select type (fluxes)
    class is (ty_fluxes_broadband)
      call check('flux_up', fluxes%flux_up)
      call check('flux_dn', fluxes%flux_dn)
      call check('flux_net', fluxes%flux_net)
      call check('flux_dn_dir', fluxes%flux_dn_dir)
    class default
      error_msg = 'rte: fluxes are ty_fluxes_broadband in Isobar''s interface'
    end select

  contains

    subroutine check(which, flux)
      character(*), intent(in) :: which
      real(wp), pointer, intent(in) :: flux(:, :)
      if (associated(flux)) call check_shape('rte: ' // name // '%' // which, shape(flux), wanted, error_msg)
    end subroutine check

  end subroutine check_fluxes

  logical function has_clouds(cloud_props)
    class(ty_optical_props_arry), intent(in) :: cloud_props
    has_clouds = .false.
    if (allocated(cloud_props%lwp)) has_clouds = any(cloud_props%lwp /= 0 .or. cloud_props%iwp /= 0)
  end function has_clouds

  ! Does pressure rise from the first layer to the last, which are finite?
  logical function is_rising(pressure)
    real(wp), intent(in) :: pressure(:, :)
    is_rising = .false.
    if (size(pressure) == 0) return
    associate (first => pressure(1, 1), last => pressure(1, size(pressure, 2)))
      if (ieee_is_finite(first) .and. ieee_is_finite(last)) is_rising = first < last
    end associate
  end function is_rising

  ! A water path that is none would be no cloud. Columns and layers are counted from 0, these in the host's order.
  subroutine check_path(name, path, error_msg)
    character(*), intent(in) :: name
    real(wp), intent(in) :: path(:, :)
    character(128), intent(inout) :: error_msg
    character(16) :: digits
    integer :: column, layer

    do layer = 1, size(path, 2)
      do column = 1, size(path, 1)
        ! Not a number is not compared: that is an invalid operation.
        if (ieee_is_finite(path(column, layer))) then
          if (path(column, layer) >= 0) cycle
        end if
        write (digits, '(g0.7)') path(column, layer)
        write (error_msg, '(3a, 2(i0, a))') 'rte: ', name, ' at column ', column - 1, ', layer ', layer - 1, &
          ' is ' // trim(adjustl(digits)) // ' g/m2, which is no finite number of at least 0'
        return
      end do
    end do
  end subroutine check_path

  ! The scheme of these files, made at its first use.
  function scheme_with(file, cloud_file, roughness, error_msg) result(scheme)
    character(*), intent(in) :: file, cloud_file
    integer, intent(in) :: roughness
    character(128), intent(out) :: error_msg
    type(isobar_scheme), pointer :: scheme
    integer :: i

    error_msg = ''
    nullify (scheme)
    !$omp critical (isobar_rte)
    do i = 1, known_count
      if (known(i)%file == file .and. known(i)%cloud_file == cloud_file .and. known(i)%roughness == roughness) &
        scheme => known(i)%scheme
    end do
    if (.not. associated(scheme)) then
      if (known_count == most_schemes) error_msg = 'rte: more files than anybody has'
      if (error_msg == '') call make_scheme(known(known_count + 1)%scheme, file, cloud_file, roughness, error_msg)
      if (error_msg == '') then
        known_count = known_count + 1
        known(known_count)%file = file
        known(known_count)%cloud_file = cloud_file
        known(known_count)%roughness = roughness
        scheme => known(known_count)%scheme
      end if
    end if
    !$omp end critical (isobar_rte)
  end function scheme_with

  ! Temperatures of levels: between layers weighted by pressure, at both ends along the last two layers, as RRTMGP has
  ! them.
  subroutine interpolate(p_lay, t_lay, p_lev, t_lev)
    real(wp), intent(in) :: p_lay(:, :), t_lay(:, :), p_lev(:, :)
    real(wp), intent(out) :: t_lev(:, :)
    type(ieee_status_type) :: status
    integer :: n, k

    ! What is not finite, and pressures that are equal, the library finds and says: here they must not end the program.
    call ieee_get_status(status)
    call ieee_set_halting_mode(ieee_all, .false.)
    n = size(p_lay, 2)
    t_lev(:, 1) = along(1, 2, 1)
    do k = 2, n
      t_lev(:, k) = (p_lay(:, k - 1) * t_lay(:, k - 1) * (p_lev(:, k) - p_lay(:, k)) + &
        p_lay(:, k) * t_lay(:, k) * (p_lay(:, k - 1) - p_lev(:, k))) / (p_lev(:, k) * (p_lay(:, k - 1) - p_lay(:, k)))
    end do
    t_lev(:, n + 1) = along(n, n - 1, n + 1)
    call ieee_set_status(status)

  contains

    function along(near, far, level)
      integer, intent(in) :: near, far, level
      real(wp) :: along(size(p_lay, 1))
      along = t_lay(:, near) + (p_lev(:, level) - p_lay(:, near)) * (t_lay(:, far) - t_lay(:, near)) / &
        (p_lay(:, far) - p_lay(:, near))
    end function along

  end subroutine interpolate

end module mo_rrtmgp_clr_all_sky
