/** The paths whose results a change of a post makes out of date. */
export const postPaths = ['/v1/posts', '/v1/posts/{id}', '/v1/posts/{id}/timeline'];
