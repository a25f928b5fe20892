import { expect, it } from 'vitest';
import { unknownKeys } from '../../../lib/api-contract/unknown-keys.ts';
import { HeraldError } from '../../../lib/kernel/errors.ts';
import { platformNames } from '../../../lib/platforms/contract/names.ts';
import { adapterFor, hasAdapter } from '../../../lib/platforms/registry/adapters.ts';
import { loadPart } from '../../../lib/platforms/registry/load-part.ts';
import { hasRules, rulesFor } from '../../../lib/platforms/registry/rules.ts';

it.each(platformNames)('%s has both rules and an adapter, or neither', async (platform) => {
  expect(hasRules(platform)).toBe(hasAdapter(platform));
  expect((await rulesFor(platform)) !== undefined).toBe(hasRules(platform));
  expect((await adapterFor(platform)) !== undefined).toBe(hasAdapter(platform));
});

it.each(platformNames)('%s does not offer an option that its schema has', async (platform) => {
  const rules = await rulesFor(platform);
  const { schema, notOffered = [], otherNames = {} } = rules?.options ?? {};
  const isOption = (name: string) =>
    schema !== undefined && unknownKeys(schema, { [name]: true }).length === 0;
  expect([...notOffered, ...Object.keys(otherNames)].filter(isOption)).toEqual([]);
  const instead = Object.values(otherNames).filter((name) => !name.startsWith("the post's "));
  expect(instead.filter((name) => !isOption(name))).toEqual([]);
});

it('says that it is unavailable for now if a part cannot be loaded', async () => {
  const cause = new Error('the file cannot be read');
  const loading = loadPart({ tiktok: () => Promise.reject(cause) }, 'tiktok');
  await expect(loading).rejects.toThrow(HeraldError);
  await expect(loading).rejects.toMatchObject({ code: 'unavailable', cause });
});
