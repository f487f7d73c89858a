// The result page: shows one result of a tool, and says what the person does with it. Pictures and sound go in as data
// URIs of checked types.
import { type FromResultPage, type ToResultPage, toResultPage } from '../../src/contract/pageMessages.ts';
import { connect } from '../frame/connect.ts';
import { renderResult } from './render.ts';
import './result.css';

connect<ToResultPage, FromResultPage>(toResultPage, (root, editor) => ({ result }) => {
  root.replaceChildren(...renderResult(result, (answer) => editor.send(answer)));
});
