export { createPost, type PostsContext } from './create.ts';
export { listPosts, readPost } from './read.ts';
export { validatePost } from './validate.ts';
export { toPostView } from './view.ts';
