import './styles/tokens.css';
import './styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { startTheme } from './theme.ts';

/** Starts the panel, first with Temporal if the browser lacks it. */
async function start() {
  startTheme();
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global');
  const place = document.getElementById('panel');
  if (place)
    createRoot(place).render(
      <StrictMode>
        <App />
      </StrictMode>,
    );
}

void start();
