// Calendar
