import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { platformNames } from '../../../../lib/platforms/contract/names.ts';

const platforms = join(import.meta.dirname, '../../../../lib/platforms');
const modules = platformNames.map((name) => join(platforms, name, 'options.ts'));

// Every function that accepts posts loads the rules of all platforms, but a request needs those of few.
it.each(modules)('builds no schema at import: %s', async (file) => {
  const schemas = Object.values(await import(file)).filter((value) => value instanceof z.ZodType);
  expect(schemas.map((schema) => schema.def.type)).toEqual(['lazy']);
});
