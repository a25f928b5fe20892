import type { PlatformAdapter, PublishJob } from '../contract/adapter.ts';
import { comparableText } from '../shared/find-listed.ts';
import { CommentNotes } from '../shared/first-comment.ts';
import { containerAdapter } from '../shared/meta/container-adapter.ts';
import { readOptions } from '../shared/options.ts';
import { absenceRules } from './absence.ts';
import { instagramClient, publishUrl } from './client.ts';
import { containerError, instagram, isDownloadFailure, isFixedByNewContainer, isMissing } from './errors.ts';
import { containerPlan, matchesJob } from './map.ts';
import { InstagramOptions, type PostKind, postKind } from './options.ts';

/** The Instagram API with Instagram Login. Instagram downloads media from public URLs. */
export const instagramAdapter: PlatformAdapter = containerAdapter({
  name: instagram.name,
  isMissing,
  isFixedByNewContainer,
  isDownloadFailure,
  containerError,
  open: instagramClient,
  plan: containerPlan,
  lastCallUrl: publishUrl,
  absenceRule: (job) => absenceRules[kindOf(job)],

  listPosts: (client, job, sinceMs) =>
    kindOf(job) === 'story' ? client.listStories() : client.listMedia(sinceMs),
  matches: (post, job) => matchesJob(post, kindOf(job), job),
  hasText: (job) => kindOf(job) !== 'story' && comparableText(job.content) !== '',

  adjusts: ({ options }) => readOptions(InstagramOptions, options).commentsEnabled === false,
  adjust: (client, platformPostId) => client.turnOffComments(platformPostId),

  firstComment: ({ options }) => readOptions(InstagramOptions, options).firstComment,
  readNotes: (preparation) => CommentNotes.parse(preparation),
  postComment: ({ client, post }) => client.comment(post.platformPostId, post.text),
  isCommentPosted: ({ client, post }) => client.hasOwnComment(post.platformPostId, post.text),
});

function kindOf({ media, options }: PublishJob): PostKind {
  return postKind(media, readOptions(InstagramOptions, options));
}
