/** How programs and pages say who they are. `authorize` of an application decides what it accepts. @source H-Identity */
export const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'A key. It belongs to a user.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-countersign',
    description: 'The cookie of a signed-in person. On a loopback address its name is `countersign`.',
  },
};

/** One of them is enough, at every operation but the probes. */
export const security = [{ bearer: [] }, { session: [] }];
