"""A macro for ParaView: show the flow of the chosen file without its holes, coloured by Mach number.

Macros > Import new macro... once; then choose a field or slice file in the pipeline and click its name.
Holes, fringes and orphans overlap what other grids compute; what is left are the cells that are computed.

SPDX-License-Identifier: GPL-3.0-or-later
"""
from paraview.simple import (ColorBy, GetActiveSource, GetActiveViewOrCreate, Hide, Render, Show,
                             Threshold)

FIELD = 0  # of the cell array CellState; 1: fringe, 2: hole, 3: orphan

source = GetActiveSource()
if source is None:
    raise RuntimeError("choose a field file (fields/*.cgns) or a slice (slices/*.cgns) in the pipeline first")
# Readers of CGNS load no cell arrays until they are told to.
for name in ("CellArrayStatus",):
    if hasattr(source, name):
        setattr(source, name, list(getattr(source, name).GetAvailable()))
source.UpdatePipeline()

computed = Threshold(Input=source)
computed.Scalars = ["CELLS", "CellState"]
if hasattr(computed, "LowerThreshold"):  # from ParaView 5.10 on
    computed.LowerThreshold, computed.UpperThreshold = FIELD - 0.5, FIELD + 0.5
else:
    computed.ThresholdRange = [FIELD - 0.5, FIELD + 0.5]

view = GetActiveViewOrCreate("RenderView")
Hide(source, view)
shown = Show(computed, view)
ColorBy(shown, ("CELLS", "Mach"))
shown.RescaleTransferFunctionToDataRange(False, True)
shown.SetScalarBarVisibility(view, True)
view.ResetCamera(False)
Render(view)
