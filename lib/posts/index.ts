export { createPost, type PostsContext } from './create.ts';
export { editPost } from './edit.ts';
export { listPosts, readPost } from './read.ts';
export { removePost } from './remove.ts';
export { retryPost } from './retry.ts';
export { readTimeline } from './timeline.ts';
export { validatePost } from './validate.ts';
export { toPostView } from './view.ts';
