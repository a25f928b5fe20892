import { describe, expect, it } from 'vitest';
import {
  altTextOf,
  altTextProblems,
  ignoredAltTexts,
  withoutReplaced,
} from '../../../../lib/platforms/shared/alt-text.ts';

const media = [{ altText: 'a boat' }, {}, { altText: '' }, { altText: 'a pier' }];

describe('the alternative text of a file', () => {
  it.each([
    ['is the post’s', undefined, ['a boat', undefined, undefined, 'a pier']],
    [
      'is the option’s, for the first file, if it is one text',
      'a ship',
      ['a ship', undefined, undefined, 'a pier'],
    ],
    ['is the option’s if it is a list', ['', 'gulls', 'a rope'], ['a boat', 'gulls', 'a rope', 'a pier']],
  ])('%s', (_, option, texts) => {
    expect(media.map((_file, index) => altTextOf(option, media, index))).toEqual(texts);
  });

  it('has at most the platform’s characters, each emoji counting as one', () => {
    expect(altTextProblems([{ altText: '⛵⛵' }, {}, { altText: 'abc' }], 2, 'Threads')).toEqual([
      {
        field: 'mediaItems[2].altText',
        code: 'alt_text_too_long',
        message: 'Threads allows at most 2 characters; this text has 3',
      },
    ]);
  });

  it('is not checked if the option replaces it', () => {
    expect(withoutReplaced(['', 'gulls', '', 'a quay'], media)).toEqual([{ altText: 'a boat' }, {}, {}, {}]);
  });

  it('is left out with a warning by a platform that takes none', () => {
    expect(ignoredAltTexts(media, 'TikTok').map(({ field }) => field)).toEqual([
      'mediaItems[0].altText',
      'mediaItems[3].altText',
    ]);
  });
});
