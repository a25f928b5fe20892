import { type DescribedMedia, type PlatformRules, type RuleProblem, ruleProblem } from '../contract/rules.ts';
import { ignoredAltTexts } from '../shared/alt-text.ts';
import { fileProblems, fileWarnings } from '../shared/media-rules.ts';
import { checkOptions } from '../shared/options.ts';
import { utf8Bytes } from '../shared/text.ts';
import { youtubeNames } from './brought-names.ts';
import { assumedBytes, descriptionBytes, thumbnailLimits, uploadLeadSeconds, videoLimits } from './limits.ts';
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

  warn: ({ media }) => [
    ...ignoredAltTexts(media, 'YouTube'),
    ...media.flatMap((file, index) => fileWarnings(`mediaItems[${index}]`, file, videoLimits, 'a video')),
  ],

  leadSeconds({ media }) {
    return uploadLeadSeconds(media[0]?.sizeBytes ?? assumedBytes);
  },

  sendsFile: () => true,
};

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
