// Their children are new with each render: there is nothing to remember.
'use no memo';

/**
 * The layout that pages are made of. A page's own CSS is left for what only it has.
 *
 * Stylesheets and {@link useMedia} change the layout at three widths, and at no others: 30rem, where a phone is too narrow for two
 * columns; 43.75rem, where the navigation moves to the bottom; and 62rem, where there is space for a column beside the content.
 */
import type { HTMLAttributes, ReactNode } from 'react';
import { join } from './classes.ts';
import classes from './layout.module.css';

/** Steps of the scale of spaces, `--space-4` for 4. */
type Gap = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 8;

interface BoxProps extends HTMLAttributes<HTMLElement> {
  as?: 'div' | 'ul' | 'ol' | 'li' | 'p' | 'span' | 'header' | 'footer' | 'section' | 'fieldset' | undefined;
  gap?: Gap | undefined;
}

interface StackProps extends BoxProps {
  /** True for a list whose items count down. */
  reversed?: boolean | undefined;
  align?: 'stretch' | 'start' | undefined;
}

/** Things below one another, as wide as there is space, or with `align="start"` as they need. */
export function Stack({ as: Tag = 'div', gap = 4, align, className, ...rest }: StackProps) {
  return (
    <Tag
      {...rest}
      className={join(classes.stack, classes[`gap${gap}`], align === 'start' && classes.start, className)}
    />
  );
}

interface RowProps extends BoxProps {
  align?: 'center' | 'start' | 'end' | 'baseline' | undefined;
  /** True to push the last thing to the end of the line. */
  isSpread?: boolean | undefined;
  /** True to wrap nothing: what is in the row shrinks. */
  isOneLine?: boolean | undefined;
}

/** Things beside one another. They wrap if there is no space. */
export function Row(props: RowProps) {
  const { as: Tag = 'div', gap = 2, align = 'center', isSpread, isOneLine, className, ...rest } = props;
  const kinds = [classes[align], isSpread && classes.between, isOneLine && classes.oneLine];
  const names = [classes.row, classes[`gap${gap}`], ...kinds];
  return <Tag {...rest} className={join(...names, className)} />;
}

interface MutedProps extends HTMLAttributes<HTMLElement> {
  as?: 'p' | 'span' | 'div' | undefined;
  size?: 'xs' | 's' | 'm' | undefined;
}

/** A text that matters less than what it stands by. */
export function Muted({ as: Tag = 'p', size = 's', className, ...rest }: MutedProps) {
  return <Tag {...rest} className={join(classes.muted, classes[size], className)} />;
}

interface ClippedProps extends HTMLAttributes<HTMLElement> {
  as?: 'p' | 'span' | 'div' | undefined;
  lines?: 1 | 2 | 3 | undefined;
}

/** A text that ends in an ellipsis where its lines are full. Three lines keep the line breaks of the text. */
export function Clipped({ as: Tag = 'span', lines = 1, className, ...rest }: ClippedProps) {
  const kind = lines === 1 ? classes.line : join(classes.excerpt, lines === 3 && classes.three);
  return <Tag {...rest} className={join(kind, className)} />;
}

interface DetailProps {
  children: ReactNode;
  aside: ReactNode;
  /** True for an aside of small cards. */
  isNarrow?: boolean | undefined;
  /** True to keep the aside in sight while the rest scrolls. */
  isSticky?: boolean | undefined;
}

/** The content of a page, with what belongs to it in a column of its own, or below if there is no space. */
export function WithAside({ children, aside, isNarrow, isSticky }: DetailProps) {
  return (
    <div className={join(classes.detail, isNarrow && classes.narrow)}>
      {children}
      <div className={join(isSticky && classes.sticky)}>{aside}</div>
    </div>
  );
}

/** Cards in two columns, or in one if there is no space. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className={classes.columns}>{children}</div>;
}

interface FactsProps {
  of: Readonly<Record<string, ReactNode>>;
  gap?: Gap | undefined;
  /** True for lines between the facts. */
  isRuled?: boolean | undefined;
}

/** Names with their values. Those without a value are left out. */
export function Facts({ of, gap = 3, isRuled }: FactsProps) {
  const known = Object.entries(of).filter(
    ([, value]) => value !== undefined && value !== null && value !== false,
  );
  return (
    <dl className={join(classes.facts, isRuled ? classes.ruled : classes[`gap${gap}`])}>
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
