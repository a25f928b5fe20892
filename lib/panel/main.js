import { jsx as _jsx } from "react/jsx-runtime";
import './styles/tokens.css';
import './styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { startTheme } from './theme.ts';
startTheme();
const place = document.getElementById('panel');
if (place)
    createRoot(place).render(_jsx(StrictMode, { children: _jsx(App, {}) }));
