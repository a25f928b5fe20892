import classes from './mark.module.css';

/** The product's sign: a pennant. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg className={classes.mark} width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M10 25V7l13 5-13 5" />
    </svg>
  );
}
