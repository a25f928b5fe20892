import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';

const platforms = join(import.meta.dirname, '../../../../lib/platforms');
const modules = readdirSync(platforms)
  .map((name) => join(platforms, name, 'options.ts'))
  .filter((file) => existsSync(file));

// Every function that takes posts loads the rules of all platforms; a request needs those of its own.
it.each(modules)('builds no schema while it is loaded: %s', async (file) => {
  const schemas = Object.values(await import(file)).filter((value) => value instanceof z.ZodType);
  expect(schemas.map((schema) => schema.def.type)).toEqual(['lazy']);
});
