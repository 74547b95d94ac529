# A nadir sounder at 700 km scans across its track.
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
