import { byVersion } from '../support/releases.ts';

/** Facts about the checkout from which a release is made. */
export interface Candidate {
  readonly version: string;
  /** The version in `package.json`. */
  readonly packageVersion: string;
  /** The content of `docs/CHANGELOG.md`. */
  readonly changelog: string;
  /** The release with the highest version so far; absent before the first. */
  readonly latest: string | undefined;
  /** The tags of the repository. */
  readonly tags: readonly string[];
  /** The forms that the latest release cannot read: kinds of items, or `message <queue>`. */
  readonly breaks: readonly string[];
  /** The paths of files with changes that are not committed. */
  readonly uncommitted: readonly string[];
  /** ISO 8601. */
  readonly today: string;
}

/**
 * Returns what is missing for a release, as sentences that say what to do; empty if it can be made. Versions are semantic
 * (https://semver.org), and the changelog has a section for each: `## 1.2.0 (2026-12-01)`. Pure.
 */
export function releaseProblems(candidate: Candidate): string[] {
  const { version, packageVersion, changelog, latest, tags, breaks, uncommitted, today } = candidate;
  const problems: string[] = [];
  if (latest !== undefined && byVersion(version, latest) <= 0)
    problems.push(`The version must be later than ${latest}.`);
  if (tags.includes(`v${version}`)) problems.push(`The tag v${version} exists: choose the next version.`);
  if (packageVersion !== version)
    problems.push(`package.json has ${packageVersion}: npm version ${version} --no-git-tag-version.`);
  if (uncommitted.length > 0) problems.push(`Commit these first: ${uncommitted.join(', ')}.`);
  return [...problems, ...changelogProblems(sectionsOf(changelog), version, breaks, today)];
}

function changelogProblems(
  sections: readonly Section[],
  version: string,
  breaks: readonly string[],
  today: string,
): string[] {
  const section = sections.find(({ title }) => title.split(' ')[0] === version);
  if (!section) return [`docs/CHANGELOG.md has no section: rename "Unreleased" to "${version} (${today})".`];
  const problems: string[] = [];
  const date = /^\S+ \((\d{4}-\d{2}-\d{2})\)$/.exec(section.title)?.[1];
  if (date === undefined || date > today)
    problems.push(`In docs/CHANGELOG.md, give the section the day of the release: "${version} (${today})".`);
  const migrations = section.parts.get('Migrations');
  if (!migrations)
    problems.push(`In docs/CHANGELOG.md, add "### Migrations" to ${version}; "None." if there are none.`);
  const unexplained = breaks.filter((form) => !migrations?.includes(`\`${form}\``));
  if (unexplained.length > 0)
    problems.push(
      `Say under "Migrations" what a mixture of releases does with ${unexplained.map((form) => `\`${form}\``).join(', ')}.`,
    );
  if (sections.some(({ title, text }) => title === 'Unreleased' && text !== ''))
    problems.push('In docs/CHANGELOG.md, "Unreleased" still has entries.');
  return problems;
}

interface Section {
  readonly title: string;
  readonly text: string;
  /** The text under each heading of the section. */
  readonly parts: ReadonlyMap<string, string>;
}

/** Returns the sections of a changelog, newest first. Pure. */
export function sectionsOf(changelog: string): Section[] {
  return split(changelog, '## ').map(([title, text]) => ({
    title,
    text,
    parts: new Map(split(text, '### ')),
  }));
}

function split(text: string, mark: string): [title: string, text: string][] {
  const [, ...parts] = `\n${text}`.split(`\n${mark}`);
  return parts.map((part) => {
    const [title = '', ...lines] = part.split('\n');
    return [title.trim(), lines.join('\n').trim()];
  });
}
