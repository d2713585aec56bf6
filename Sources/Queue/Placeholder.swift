// Queue
