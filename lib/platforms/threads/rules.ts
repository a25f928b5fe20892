import type { DescribedMedia, PlatformRules, RuleProblem } from '../contract/rules.ts';
import { fileProblems } from '../shared/media-rules.ts';
import { checkOptions } from '../shared/options.ts';
import { carouselItems, imageLimits, leadSeconds, maxLinks, textLength, videoLimits } from './limits.ts';
import { ThreadsOptions } from './options.ts';
import { links, threadsLength } from './text.ts';

export const threadsRules: PlatformRules = {
  options: { schema: ThreadsOptions, notOffered: [], needs: { firstComment: 'comments' } },

  check({ content, media, cover, options: given }) {
    const { options, problems } = checkOptions(ThreadsOptions, given);
    return [
      ...problems,
      ...textProblems(content, media, options),
      ...mediaProblems(media),
      ...(cover ? [{ field: 'coverUrl', message: 'Threads does not support a cover' }] : []),
      ...(options ? optionProblems(options, media) : []),
    ];
  },

  leadSeconds({ media }) {
    if (media.length === 0) return leadSeconds.text;
    const hasVideo = media.some(({ type }) => type === 'video');
    const further = (media.length - 1) * leadSeconds.eachFurtherItem;
    return (hasVideo ? leadSeconds.video : leadSeconds.image) + further;
  },
};

function textProblems(
  text: string,
  media: readonly DescribedMedia[],
  options: ThreadsOptions | undefined,
): RuleProblem[] {
  const problem = (message: string) => ({ field: 'content', message });
  if (text.trim() === '' && media.length === 0) return [problem('Threads needs a text or media')];
  const found = links(text);
  if (options?.link !== undefined) found.add(options.link);
  return [
    ...lengthProblems('content', text),
    ...(found.size > maxLinks
      ? [problem(`Threads allows at most ${maxLinks} links; the content has ${found.size}`)]
      : []),
  ];
}

function lengthProblems(field: string, text: string): RuleProblem[] {
  const length = threadsLength(text);
  if (length <= textLength) return [];
  const message = `Threads allows at most ${textLength} characters (emoji count as their UTF-8 bytes); this text has ${length}`;
  return [{ field, message }];
}

function mediaProblems(media: readonly DescribedMedia[]): RuleProblem[] {
  if (media.length > carouselItems.max) {
    const message = `Threads needs 1 item, or ${carouselItems.min} to ${carouselItems.max} for a carousel`;
    return [{ field: 'mediaItems', message }];
  }
  return media.flatMap((file, index) =>
    file.type === 'video'
      ? fileProblems(`mediaItems[${index}]`, file, videoLimits, 'a video')
      : fileProblems(`mediaItems[${index}]`, file, imageLimits, 'an image'),
  );
}

/** Refuses options that do not apply to the post: ignoring them would publish something else. */
function optionProblems(options: ThreadsOptions, media: readonly DescribedMedia[]): RuleProblem[] {
  const problems: RuleProblem[] = [];
  const add = (option: keyof ThreadsOptions, message: string) =>
    problems.push({ field: `platformSpecificData.${option}`, message });
  if (options.link !== undefined && media.length > 0) add('link', 'is for posts without media only');
  if (options.altText !== undefined && media.length === 0) add('altText', 'is for posts with media only');
  if (options.isSpoiler && media.length === 0) add('isSpoiler', 'is for posts with media only');
  if (Array.isArray(options.altText) && options.altText.length > media.length) {
    add('altText', 'must not have more entries than the post has media items');
  }
  if (options.firstComment !== undefined) {
    problems.push(...lengthProblems('platformSpecificData.firstComment', options.firstComment));
  }
  return problems;
}
