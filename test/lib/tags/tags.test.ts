import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldTag, maxTagsOfWorkspace, TagColor, TagName, TagNames } from '../../../lib/tags/schemas.ts';
import { findTag, noTagsYet, tagsOf, withChangedTag, withTags } from '../../../lib/tags/workspace-tags.ts';

describe('the name of a tag', () => {
  it.each([
    ['  Summer  ', 'Summer'],
    ['Cafe\u0301', 'Café'],
    ['100 %', '100 %'],
    ['夏', '夏'],
    ['👩‍🚀 launch', '👩‍🚀 launch'],
  ])('%j is %j', (given, name) => expect(TagName.parse(given)).toBe(name));

  it.each([
    '',
    '   ',
    'a,b',
    'a/b',
    '.',
    '..',
    'a\u0000b',
    'a\nb',
    'a\u202Eb',
    'a\u200Bb',
    '\uD800',
    'x'.repeat(51),
  ])('cannot be %j', (given) => expect(TagName.safeParse(given).success).toBe(false));

  it('is the same in capitals and small letters', () => {
    for (const [one, other] of [
      ['Summer', 'SUMMER'],
      ['Straße', 'STRASSE'],
      ['ΛΟΓΟΣ', 'λογος'],
    ] as const)
      expect(foldTag(one)).toBe(foldTag(other));
  });

  it('folds to the same text when it is folded again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => foldTag(foldTag(name)) === foldTag(name)),
    );
  });
});

describe('the tags of a post', () => {
  it.each([
    ['the same name twice', ['Summer', 'summer']],
    ['more than 20', Array.from({ length: 21 }, (_, index) => `t${index}`)],
    ['no list', 'Summer'],
  ])('cannot be %s', (_what, tags) => expect(TagNames.safeParse(tags).success).toBe(false));

  it('keep the order and the case in which they were first used', () => {
    const { after } = withTags(noTagsYet, ['Launch', 'Summer']);
    const { ids, after: same } = withTags(after, ['SUMMER', 'launch']);
    expect(same).toBe(after);
    expect(tagsOf(after)({ tagIds: ids })).toEqual(['Summer', 'Launch']);
  });

  it('follow when a tag is renamed, and lose it when it is deleted', () => {
    const { after, ids } = withTags(noTagsYet, ['Launch', 'Summer']);
    const launch = findTag(after, 'launch');
    if (!launch) throw new Error('no tag');
    const renamed = withChangedTag(after, launch, { name: 'Start' });
    expect(tagsOf(renamed)({ tagIds: ids })).toEqual(['Start', 'Summer']);
    const deleted = { ...renamed, tags: renamed.tags.filter(({ id }) => id !== launch.id) };
    expect(tagsOf(deleted)({ tagIds: ids })).toEqual(['Summer']);
    // A new tag has another id, so the posts do not get it.
    expect(tagsOf(withTags(deleted, ['Start']).after)({ tagIds: ids })).toEqual(['Summer']);
  });
});

describe('a workspace', () => {
  it('gives each new tag a colour that the fewest others have', () => {
    const names = TagColor.options.map((_, index) => `t${index}`);
    const { after } = withTags(noTagsYet, names);
    expect(after.tags.map(({ color }) => color)).toEqual(TagColor.options);
    const rest = { ...after, tags: after.tags.filter(({ color }) => color !== 'teal') };
    expect(withTags(rest, ['new']).after.tags.at(-1)).toMatchObject({ color: 'teal' });
  });

  it('cannot have two tags with the same name', () => {
    const { after } = withTags(noTagsYet, ['Launch', 'Summer']);
    const [launch] = after.tags;
    if (!launch) throw new Error('no tag');
    expect(() => withChangedTag(after, launch, { name: 'SUMMER' })).toThrow('another tag');
    expect(withChangedTag(after, launch, { name: 'LAUNCH' }).tags[0]).toMatchObject({
      id: 1,
      name: 'LAUNCH',
    });
  });

  it('has at most 500 tags, which are still usable when it is full', () => {
    const names = Array.from({ length: maxTagsOfWorkspace }, (_, index) => `t${index}`);
    const { after } = withTags(noTagsYet, names);
    expect(withTags(after, ['T1', 't499']).ids).toEqual([2, 500]);
    expect(() => withTags(after, ['one more'])).toThrow('tags: the workspace has 500 tags');
  });
});
