import {
  type DescribedMedia,
  optionField,
  type PlatformRules,
  type PublishableContent,
  type RuleProblem,
  ruleProblem,
} from '../contract/rules.ts';
import { ignoredAltTexts } from '../shared/alt-text.ts';
import { fileProblems, fileWarnings } from '../shared/media-rules.ts';
import { checkOptions } from '../shared/options.ts';
import { utf8Bytes } from '../shared/text.ts';
import { youtubeNames } from './brought-names.ts';
import {
  assumedBytes,
  categories,
  descriptionBreaks,
  descriptionBytes,
  thumbnailLimits,
  uploadLeadSeconds,
  videoLimits,
} from './limits.ts';
import { defaultTitle, firstCommentOf, privacyOf } from './map.ts';
import { YoutubeOptions } from './options.ts';

export const youtubeRules: PlatformRules = {
  options: {
    schema: YoutubeOptions,
    brought: youtubeNames,
    needs: { captions: 'captions', firstComment: 'comments', playlistId: 'playlists' },
  },

  check({ content, media, cover, options: given }) {
    const { options, problems } = checkOptions(YoutubeOptions, given);
    const hasTitle = given['title'] != null || defaultTitle(content) !== undefined;
    const noTitle = 'is required if the content is empty';
    return [
      ...problems,
      ...(options ? commentProblems(options) : []),
      ...(hasTitle ? [] : [ruleProblem('platformSpecificData.title', 'option_required', noTitle)]),
      ...descriptionProblems(content),
      ...mediaProblems(media),
      ...(cover ? fileProblems('coverUrl', cover, thumbnailLimits, 'a thumbnail') : []),
    ];
  },

  fileLimits: ({ media, cover }) => ({
    media: media.map(({ type }) => (type === 'video' ? videoLimits : undefined)),
    ...(cover && { cover: thumbnailLimits }),
  }),

  warn: ({ media, options }) => [
    ...categoryWarnings(options),
    ...ignoredAltTexts(media, 'YouTube'),
    ...media.flatMap((file, index) => fileWarnings(`mediaItems[${index}]`, file, videoLimits, 'a video')),
  ],

  leadSeconds({ media }) {
    return uploadLeadSeconds(media[0]?.sizeBytes ?? assumedBytes);
  },

  sendsFile: () => true,
};

/** Warns about a category that is on no known list. A region may have it, and YouTube may have added it. */
function categoryWarnings(given: PublishableContent['options']): RuleProblem[] {
  const id = checkOptions(YoutubeOptions, given).options?.categoryId;
  if (id === undefined || categories.assignable.includes(id)) return [];
  const message = `YouTube may refuse this category: known ones are ${categories.assignable.join(', ')}`;
  return [ruleProblem(optionField(['categoryId']), 'option_invalid', message)];
}

/**
 * Refuses a first comment where nobody can comment: on a private video (https://support.google.com/youtube/answer/157177)
 * and on a video made for kids (https://support.google.com/youtube/answer/9527654).
 */
function commentProblems(options: YoutubeOptions): RuleProblem[] {
  if (firstCommentOf(options) === undefined) return [];
  const problem = (message: string) => [
    ruleProblem('platformSpecificData.firstComment', 'option_not_applicable', message),
  ];
  if (options.madeForKids === true) return problem('YouTube allows no comments on videos made for kids');
  if (privacyOf(options) === 'private') return problem('YouTube allows no comments on private videos');
  return [];
}

function descriptionProblems(description: string): RuleProblem[] {
  const problems: RuleProblem[] = [];
  const bytes = utf8Bytes(description);
  if (bytes > descriptionBytes) {
    const message = `YouTube allows a description of at most ${descriptionBytes} bytes; the content has ${bytes}`;
    problems.push(ruleProblem('content', 'content_too_long', message));
  }
  if (/[<>]/.test(description))
    problems.push(ruleProblem('content', 'content_characters', 'YouTube allows no < or > in a description'));
  const [control] = description.replace(descriptionBreaks, '').match(/\p{Cc}/u) ?? [];
  if (control !== undefined) {
    const code = control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    const message = `YouTube allows no control characters in a description; the content has U+${code}`;
    problems.push(ruleProblem('content', 'content_characters', message));
  }
  return problems;
}

function mediaProblems(media: readonly DescribedMedia[]): RuleProblem[] {
  const videos = media.filter(({ type }) => type === 'video');
  if (media.length !== 1 || videos.length !== 1)
    return [ruleProblem('mediaItems', 'media_count', 'YouTube needs exactly one video and no other media')];
  return videos.flatMap((video) => {
    const isVideo =
      video.contentType === undefined || /^(video\/|application\/octet-stream$)/i.test(video.contentType);
    const notVideo = ruleProblem('mediaItems[0]', 'media_type', `must be a video, not ${video.contentType}`);
    return [...(isVideo ? [] : [notVideo]), ...fileProblems('mediaItems[0]', video, videoLimits, 'a video')];
  });
}
