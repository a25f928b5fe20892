import classes from './spinner.module.css';

/** Says by itself nothing to assistive technology: what it belongs to does. */
export function Spinner() {
  return <span className={classes.spinner} aria-hidden="true" />;
}
