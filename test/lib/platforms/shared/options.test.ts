import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { platformNames } from '../../../../lib/platforms/contract/names.ts';
import { type OptionRule, optionRuleProblems } from '../../../../lib/platforms/shared/options.ts';

const platforms = join(import.meta.dirname, '../../../../lib/platforms');
const modules = platformNames.map((name) => join(platforms, name, 'options.ts'));

// Every function that accepts posts loads the rules of all platforms, but a request needs those of few.
it.each(modules)('builds no schema at import: %s', async (file) => {
  const schemas = Object.values(await import(file)).filter((value) => value instanceof z.ZodType);
  expect(schemas.map((schema) => schema.def.type)).toEqual(['lazy']);
});

it.each<[string, Record<string, unknown>, ('photo' | 'video' | 'draft')[], string[]]>([
  ['an option that the kind takes', { frame: 1, tag: 'a' }, ['video'], []],
  ['each option that the kind does not take', { frame: 0, tag: '' }, ['photo'], ['frame', 'tag']],
  ['an option for another of the kinds', { tag: 'a' }, ['photo', 'video'], []],
  ['an option that one of the kinds excludes', { comment: 'a' }, ['video', 'draft'], ['comment']],
  ['an option that is off', { tag: false, comment: undefined }, ['draft'], []],
  ['a value without effect', { share: true }, ['photo'], []],
  ['false, if another value has no effect', { share: false }, ['photo'], ['share']],
])('refuses the options that a post does not take: %s', (_name, given, kinds, refused) => {
  const rules: OptionRule<'frame' | 'tag' | 'comment' | 'share', 'photo' | 'video' | 'draft'>[] = [
    [['frame', 'tag'], { only: ['video'] }, 'is for videos only'],
    [['share'], { only: ['video'], harmless: true }, 'is for videos only'],
    [['comment'], { not: ['draft'] }, 'is not for drafts'],
  ];
  expect(optionRuleProblems(rules, given, kinds)).toEqual(
    refused.map((option) => ({
      field: `platformSpecificData.${option}`,
      code: 'option_not_applicable',
      message: option === 'comment' ? 'is not for drafts' : 'is for videos only',
    })),
  );
});
