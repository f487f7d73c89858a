// The page of recent calls: a table that follows what happens, and a filter that stays as the person set it.
import { type FromCallsPage, type ToCallsPage, toCallsPage } from '../../src/contract/callsMessages.ts';
import { connect } from '../frame/connect.ts';
import { CallsTable } from './callsTable.ts';
import './calls.css';

connect<ToCallsPage, FromCallsPage>(toCallsPage, (root, editor) => {
  let table: CallsTable | undefined;
  return ({ view, choice }) => {
    if (table === undefined) {
      table = new CallsTable(view.words, editor);
      root.replaceChildren(...table.elements);
    }
    table.show(view, choice);
  };
});
