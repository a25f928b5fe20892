import { describe, expect, it } from 'vitest';
import { unknownKeys } from '../../../lib/api-contract/unknown-keys.ts';
import { HeraldError } from '../../../lib/kernel/errors.ts';
import { platformNames } from '../../../lib/platforms/contract/names.ts';
import { sharedOptions } from '../../../lib/platforms/contract/shared-options.ts';
import { adapterFor, hasAdapter } from '../../../lib/platforms/registry/adapters.ts';
import { loadPart } from '../../../lib/platforms/registry/load-part.ts';
import { hasRules, rulesFor } from '../../../lib/platforms/registry/rules.ts';
import { anyPlatformNames } from '../../../lib/platforms/shared/brought-names.ts';

it.each(platformNames)('%s has both rules and an adapter, or neither', async (platform) => {
  expect(hasRules(platform)).toBe(hasAdapter(platform));
  expect((await rulesFor(platform)) !== undefined).toBe(hasRules(platform));
  expect((await adapterFor(platform)) !== undefined).toBe(hasAdapter(platform));
});

describe.each(platformNames)('the names that people bring to %s', async (platform) => {
  const { options } = (await rulesFor(platform)) ?? {};
  if (!options) throw new Error(`${platform} has no options`);
  const isOption = (name: string) => unknownKeys(options.schema, { [name]: true }).length === 0;
  const own = Object.entries(options.brought).filter(([name, entry]) => anyPlatformNames[name] !== entry);

  it('are not options of its own', () => {
    expect(own.map(([name]) => name).filter(isOption)).toEqual([]);
  });

  it('have an option, or a field of the post, to use instead', () => {
    const isField = (use: string) => / (of the|in the)|the post's|the options/.test(use);
    const instead = Object.values(options.brought).flatMap(({ use }) => use ?? []);
    const nameIn = (use: string) => use.split(':')[0] ?? '';
    expect(instead.filter((use) => !isField(use) && !isOption(nameIn(use)))).toEqual([]);
  });

  it('are not among the options that the interface names', () => {
    expect(Object.keys(options.brought).filter((name) => name in sharedOptions)).toEqual([]);
  });

  it('each have a source', () => {
    for (const { from } of Object.values(options.brought)) expect(from).toMatch(/\w/);
  });
});

it('says that it is unavailable for now if a part cannot be loaded', async () => {
  const cause = new Error('the file cannot be read');
  const loading = loadPart({ tiktok: () => Promise.reject(cause) }, 'tiktok');
  await expect(loading).rejects.toThrow(HeraldError);
  await expect(loading).rejects.toMatchObject({ code: 'unavailable', cause });
});
