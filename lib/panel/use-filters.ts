import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';

export interface Filters<Name extends string> {
  /** The values in the URL; empty for those that it lacks. */
  readonly values: Readonly<Record<Name, string>>;
  /** Changes the URL in place, so that *Back* leaves the page. */
  readonly set: (changes: Readonly<Partial<Record<Name, string>>>) => void;
  readonly clear: () => void;
  readonly isAny: boolean;
}

/** The filters of a tab. They are in the URL, so a link shows the same, and a reload too. */
export function useFilters<Name extends string>(names: readonly Name[]): Filters<Name> {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const navigate = useNavigate();
  const valuesIn = (of: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(names.map((name) => [name, textOf(of[name])])) as Record<Name, string>;
  const values = valuesIn(search);
  /** Changes what the URL says by then: a second change may come before the page has shown the first. */
  const go = (next: (before: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>) =>
    void navigate({ to: '.', search: next as never, replace: true, resetScroll: false });
  return {
    values,
    set: (changes) => go((before) => withoutEmpty({ ...valuesIn(before), ...changes })),
    clear: () => go(() => ({})),
    isAny: Object.values(values).some((value) => value !== ''),
  };
}

const typingMs = 300;

/**
 * Keeps what somebody types into a search. The URL has it a moment later: a field that waited for the URL would lose letters.
 *
 * @param inUrl what the URL says
 * @param onSettled writes it to the URL
 */
export function useTyped(
  inUrl: string,
  onSettled: (text: string) => void,
): readonly [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(inUrl);
  const written = useRef(inUrl);
  const write = useEffectEvent(onSettled);
  useEffect(() => {
    // Somebody went back or forward, or followed a link to this page.
    if (inUrl === written.current) return;
    written.current = inUrl;
    setText(inUrl);
  }, [inUrl]);
  useEffect(() => {
    if (text === written.current) return;
    const timer = setTimeout(() => {
      written.current = text;
      write(text);
    }, typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}

/** The router reads `?q=12` as a number. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

const withoutEmpty = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
