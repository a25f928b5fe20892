import type { DescribedMedia, PlatformRules, RuleProblem } from '../contract/rules.ts';
import { fileProblems } from '../shared/media-rules.ts';
import { checkOptions } from '../shared/options.ts';
import { utf8Bytes } from '../shared/text.ts';
import { assumedBytes, descriptionBytes, thumbnailLimits, uploadLeadSeconds, videoLimits } from './limits.ts';
import { defaultTitle } from './map.ts';
import { YoutubeOptions } from './options.ts';

export const youtubeRules: PlatformRules = {
  options: { schema: YoutubeOptions, notOffered: [] },

  check({ content, media, cover, options: given }) {
    const { problems } = checkOptions(YoutubeOptions, given);
    const hasTitle = given['title'] != null || defaultTitle(content) !== undefined;
    return [
      ...problems,
      ...(hasTitle
        ? []
        : [{ field: 'platformSpecificData.title', message: 'is required if the content is empty' }]),
      ...descriptionProblems(content),
      ...mediaProblems(media),
      ...(cover ? fileProblems('coverUrl', cover, thumbnailLimits, 'a thumbnail') : []),
    ];
  },

  leadSeconds({ media }) {
    return uploadLeadSeconds(media[0]?.sizeBytes ?? assumedBytes);
  },
};

function descriptionProblems(description: string): RuleProblem[] {
  const problems: string[] = [];
  const bytes = utf8Bytes(description);
  if (bytes > descriptionBytes) {
    problems.push(
      `YouTube allows a description of at most ${descriptionBytes} bytes; the content has ${bytes}`,
    );
  }
  if (/[<>]/.test(description)) problems.push('YouTube allows no < or > in a description');
  return problems.map((message) => ({ field: 'content', message }));
}

function mediaProblems(media: readonly DescribedMedia[]): RuleProblem[] {
  const videos = media.filter(({ type }) => type === 'video');
  if (media.length !== 1 || videos.length !== 1) {
    return [{ field: 'mediaItems', message: 'YouTube needs exactly one video and no other media' }];
  }
  return videos.flatMap((video) => {
    const isVideo =
      video.contentType === undefined || /^(video\/|application\/octet-stream$)/i.test(video.contentType);
    const notVideo = { field: 'mediaItems[0]', message: `must be a video, not ${video.contentType}` };
    const limits = { ...videoLimits, contentTypes: [video.contentType?.toLowerCase() ?? ''] };
    return [...(isVideo ? [] : [notVideo]), ...fileProblems('mediaItems[0]', video, limits, 'a video')];
  });
}
