import { value } from './cycle_a.mjs';
export const b = () => `b${value}`;
