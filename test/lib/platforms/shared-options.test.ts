import { describe, expect, it } from 'vitest';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import type { DescribedMedia, PublishableContent } from '../../../lib/platforms/contract/rules.ts';
import { surplusOptions, withoutOptions } from '../../../lib/platforms/contract/shared-options.ts';
import { rulesFor } from '../../../lib/platforms/registry/rules.ts';

const image: DescribedMedia = { type: 'image', contentType: 'image/jpeg' };
const video: DescribedMedia = { type: 'video', contentType: 'video/mp4' };
const link = 'https://example.com/';

describe('options that the interface names for another platform', () => {
  it.each<[Platform, DescribedMedia[], PublishableContent['options'], string[]]>([
    ['facebook', [image], { link, title: 'T', firstComment: 'a' }, ['link', 'title']],
    ['facebook', [], { link, title: 'T' }, ['title']],
    ['facebook', [video], { link, title: 'T' }, ['link']],
    ['threads', [image], { link }, ['link']],
    ['threads', [], { link }, []],
    ['tiktok', [video], { title: 'T', privacyLevel: 'SELF_ONLY' }, ['title']],
    ['tiktok', [image], { title: 'T', isAigc: true }, []],
    ['linkedin', [video], { link, title: 'T' }, ['link']],
    ['linkedin', [image, image], { title: 'T' }, ['title']],
    ['linkedin', [image], { link }, []],
    ['pinterest', [image], { boardId: '1', link, title: 'T', tags: ['a'] }, []],
  ])('are left out of a post at %s with %j and %j: %j', async (platform, media, options, surplus) => {
    const rules = await rulesFor(platform);
    if (!rules) throw new Error(`${platform} has no rules`);
    const content = { content: 'Hello', media, options };
    const found = surplusOptions(platform, rules, content);
    expect(found.map(({ field }) => field.replace('platformSpecificData.', ''))).toEqual(surplus);
    const used = withoutOptions(content, found);
    expect(Object.keys(used.options)).toEqual(Object.keys(options).filter((name) => !surplus.includes(name)));
    const left = rules.check(used).filter(({ code }) => code === 'option_not_applicable');
    expect(left.filter(({ field }) => !field.endsWith('isAigc'))).toEqual([]);
  });
});
