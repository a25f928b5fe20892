/**
 * Returns the version for log lines, by which the alarms of a release tell a new version from the previous one. Code that is not
 * published has no version, as in most functions.
 *
 * @param version the value of `AWS_LAMBDA_FUNCTION_VERSION`
 */
export const publishedVersion = (version: string): string | undefined =>
  version === '' || version === '$LATEST' ? undefined : version;
