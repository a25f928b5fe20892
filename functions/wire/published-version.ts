/**
 * The version in log lines, by which the alarms of a release tell a new version from the one before. Code that is not published, such
 * as that of most functions, has none.
 *
 * @param version the value of `AWS_LAMBDA_FUNCTION_VERSION`
 */
export const publishedVersion = (version: string): string | undefined =>
  version === '' || version === '$LATEST' ? undefined : version;
