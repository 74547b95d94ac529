# Temperatures and ozone from a limb sounder at 780 km.
# Made by `cargo xtask demo-data`; see README.md.

# Gases
NG = 3
EMITTER[0] = CO2
EMITTER[1] = H2O
EMITTER[2] = O3

# Channels [cm^-1]
ND = 4
NU[0] = 792
NU[1] = 832
NU[2] = 1043
NU[3] = 1410

# Emissivity tables and filters, relative to this file; format 2 is binary
TBLBASE = ../tables/demo
TBLFMT = 2

# The longest step along a ray and in height [km]
RAYDS = 10
RAYDZ = 0.5

# Temperatures between these heights [km], known to 5 K over 6 km; ozone, known to 20 %
RETT_ZMIN = 10
RETT_ZMAX = 30
ERR_TEMP = 5
ERR_TEMP_CZ = 6
ERR_TEMP_CH = 1000
RETQ_ZMIN[2] = 15
RETQ_ZMAX[2] = 25
ERR_Q[2] = 20
ERR_Q_CZ[2] = -999

# Noise [W/(m^2 sr cm^-1)] and the error of the forward model [%]
ERR_NOISE[*] = 1e-6
ERR_FORMOD[*] = 0.1

# A new Jacobian in each iteration, until the state moves by less than this
KERNEL_RECOMP = 1
CONV_DMIN = 0.01
CONV_ITMAX = 20
