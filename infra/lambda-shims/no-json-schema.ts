/**
 * Stands in for zod's own writer of JSON Schema in every bundle (see `docs/decisions/0003-cold-start.md`). The API's
 * document is written when the bundles are made, so no function does it.
 */
const refuse = () => () => {
  throw new Error('JSON Schema is left out of the bundles: see infra/bundling.ts');
};

export const createToJSONSchemaMethod = refuse;
export const createStandardJSONSchemaMethod = refuse;
