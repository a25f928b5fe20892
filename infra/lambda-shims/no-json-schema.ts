/**
 * Replaces zod's JSON Schema writer in every bundle (see `docs/decisions/0003-cold-start.md`). The OpenAPI document is
 * computed at build time, so no function needs it.
 */
const refuse = () => () => {
  throw new Error('JSON Schema is left out of the bundles: see infra/bundling.ts');
};

export const createToJSONSchemaMethod = refuse;
export const createStandardJSONSchemaMethod = refuse;
