/** The defaults of the flow's settings of the same names, in milliseconds. @see FlowSettings */
export const defaultLeaseMs = 10_000;
export const defaultSweepMs = 3_000;
export const defaultStopGraceMs = 5_000;
