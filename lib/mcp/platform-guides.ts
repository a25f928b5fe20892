import type { Platform } from '../platforms/contract/names.ts';
import * as facebook from '../platforms/facebook/limits.ts';
import * as instagram from '../platforms/instagram/limits.ts';
import * as linkedin from '../platforms/linkedin/limits.ts';
import * as pinterest from '../platforms/pinterest/limits.ts';
import { optionSchemas } from '../platforms/registry/options.ts';
import * as threads from '../platforms/threads/limits.ts';
import * as tiktok from '../platforms/tiktok/limits.ts';
import * as youtube from '../platforms/youtube/limits.ts';
import { writtenSchema } from './list.ts';
import type { PlatformGuides } from './tool.ts';

const accepts: Readonly<Record<Platform, string>> = {
  facebook: `Text up to ${facebook.messageCharacters} characters, a link, up to ${facebook.maxPhotos} photos, one video, a reel or a story.`,
  instagram: `An image, a reel, a story, or ${instagram.carouselItems.min} to ${instagram.carouselItems.max} images and videos; media is required. Caption up to ${instagram.captionLimits.characters} characters, ${instagram.captionLimits.hashtags} hashtags and ${instagram.captionLimits.mentions} mentions.`,
  linkedin: `Text up to ${linkedin.commentaryUnits} characters, up to ${linkedin.maxImages} images, one video, one document, a poll, a link or a reshare.`,
  pinterest: `One image, ${pinterest.carouselItems.min} to ${pinterest.carouselItems.max} images, or one video, on a board: options.boardId is required. Description up to ${pinterest.descriptionCharacters} characters, title up to ${pinterest.titleCharacters}.`,
  threads: `Text up to ${threads.textLength} characters and ${threads.maxLinks} links, one image or video, or ${threads.carouselItems.min} to ${threads.carouselItems.max}; a thread of up to ${threads.maxFurtherParts + 1} parts.`,
  tiktok: `One video with a caption up to ${tiktok.videoCaptionUnits} characters, or up to ${tiktok.maxPhotos} photos with ${tiktok.photoCaptionUnits}. options.privacyLevel is one of privacyLevels.`,
  youtube: `One video. options.title up to ${youtube.titleCharacters} characters; the content is the description, up to ${youtube.descriptionBytes} bytes.`,
};

/** Writes the guides of all platforms. It writes JSON Schemas, which only happens at build time. */
export function writePlatformGuides(): PlatformGuides {
  const guideOf = ([platform, text]: [string, string]) => {
    const schema = optionSchemas[platform as Platform];
    if (!schema) throw new Error(`${platform} has no options`);
    return [platform, { accepts: text, options: writtenSchema(schema, 'input') }];
  };
  return Object.fromEntries(Object.entries(accepts).map(guideOf)) as PlatformGuides;
}
